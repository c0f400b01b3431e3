"""Where a campaign is kept: SQLite or Postgres, one writer, a log whose entries hash the ones before."""
