"""Numbers as pages and tables write them: shares, counts with their nouns, measured values."""

from __future__ import annotations

Value = float | int | None


def percent(share: float) -> str:
    """A share in percent, with as many digits as small shares need; less than all is never 100%.

    >>> percent(0.9594), percent(0.9998), percent(0.0123), percent(0.00012), percent(0)
    ('96%', '99.9%', '1.2%', '0.012%', '0%')
    """
    value = 100 * share
    if 99.5 <= value < 100:
        return f"{min(value, 99.9):.1f}%"
    if value == 0 or value >= 10:
        return f"{value:.0f}%"
    return f"{value:.1f}".removesuffix(".0") + "%" if value >= 1 else f"{value:.2g}%"


def plural(number: int, noun: str) -> str:
    """A count and its noun.

    >>> plural(1, "example"), plural(2000, "example")
    ('1 example', '2,000 examples')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def value_text(value: Value, digits: int = 3) -> str:
    """A count with separators, a ratio with its decimals, a dash for no value.

    >>> value_text(8365), value_text(0.7358), value_text(None)
    ('8,365', '0.736', '–')
    """
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
