"""How far the workers of a campaign agree, how long they take, and how far their words are from what was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.statistics.krippendorff_alpha import RESAMPLES
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.annotation.exchange.agreement import CampaignAgreement


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateAgreement(Result):
    """Agreement by field, diversity by task, seconds by task."""

    campaign: str
    found: CampaignAgreement
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate agreement --json` prints."""
        return {
            "campaign": self.campaign,
            "fields": [each.to_record() for each in self.found.fields],
            "diversity": [each.to_record() for each in self.found.diversity],
            "median_seconds": dict(self.found.seconds),
            "signature": self.signature,
        }

    def __str__(self) -> str:
        each = [f"{field.task}.{field.field} {field.alpha}" for field in self.found.fields]
        return f"{self.campaign}: {'; '.join(each) or 'no votes that count'}"


@verb
def annotate_agreement(store: Path | str, *, seed: int = 0, resamples: int = RESAMPLES) -> AnnotateAgreement:
    """Shares, Krippendorff's alpha with a bootstrap interval, Cohen's kappa of two, diversity, seconds."""
    from recombine.progress import working
    from recombine.workbench.given.open_campaign import open_campaign

    if resamples < 0:
        raise OptionError(f"cannot resample {resamples} times", "give a count of 0 or more")
    with open_campaign(store) as campaign, working("comparing answers"):
        from recombine.annotation.exchange.agreement import campaign_agreement

        found = campaign_agreement(campaign, seed=seed, resamples=resamples)
        return AnnotateAgreement(campaign.name, found, campaign.signature)
