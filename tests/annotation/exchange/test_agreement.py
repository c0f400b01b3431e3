"""Agreement, diversity and seconds of a campaign, by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.campaign.records import Work
from recombine.annotation.exchange.agreement import campaign_agreement


def test_shares_and_alpha_of_votes(judged: Campaign) -> None:
    found = campaign_agreement(judged, resamples=20)
    same, fluent = found.fields
    assert (same.task, same.field, same.accepts, same.answers) == ("check", "same", "yes", 6)
    assert same.share == pytest.approx(5 / 6)
    # Coincidences of yes yes, yes yes, yes no: alpha = 1 - (6 - 1) · 2 / (2 · 5 · 1) = 0.
    assert same.alpha.alpha == pytest.approx(0.0)
    assert (fluent.share, fluent.alpha.alpha) == (1.0, None)
    assert (same.majority, fluent.majority) == (2, 3)
    assert same.kappa is None  # three workers judged


def test_kappa_is_of_two(new_campaign: Callable[..., Campaign]) -> None:
    campaign = new_campaign("audit", audit__workers=2)
    campaign.add_items([{"item": f"q{n}", "task": "audit", "show": {"question": f"q{n}"}} for n in range(4)])
    said = {"ann": ("yes", "yes", "no", "no"), "ben": ("yes", "no", "no", "no")}
    campaign.take_in(
        [
            {"item": f"q{n}", "worker": who, "answer": {"right": right, "natural": "yes", "remark": ""}}
            for who, answers in said.items()
            for n, right in enumerate(answers)
        ]
    )
    right = campaign_agreement(campaign, resamples=0).fields[0]
    assert right.kappa == 0.5  # as in the example of `cohen_kappa`
    assert (right.answers, right.share) == (8, 3 / 8)
    assert (right.low or 1) < 3 / 8 < (right.high or 0)


def test_names_are_agreed_on_one_by_one(new_campaign: Callable[..., Campaign]) -> None:
    campaign = new_campaign()
    show = {"name": "New York", "names": ["nyc", "boston", "ny"]}
    campaign.add_items([{"item": "s", "task": "surface_forms", "show": show}])
    said = {"ann": ["nyc", "ny"], "ben": ["nyc"], "cy": ["nyc", "ny"]}
    campaign.take_in([{"item": "s", "worker": who, "answer": {"names": names}} for who, names in said.items()])
    (names,) = campaign_agreement(campaign, resamples=0).fields
    # Two names were chosen by anybody: nyc by all three, ny by two of three.
    assert (names.answers, names.alpha.items, names.majority) == (6, 2, 2)


def test_diversity_is_of_accepted_texts(judged: Campaign) -> None:
    (found,) = campaign_agreement(judged, resamples=0).diversity
    assert (found.task, found.texts, found.to_each_other) == ("paraphrase", 2, None)
    assert found.to_canonical is not None
    # who wrote b0 / by whom is b0: 1 of 6 words; who wrote b1 / b1 is whose work: 1 of 6.
    assert found.to_canonical.unigrams == pytest.approx(1 / 6)
    assert found.to_canonical.pairs == 2


def test_seconds_are_the_median_of_first_answers(new_campaign: Callable[..., Campaign], clock: object) -> None:
    campaign = new_campaign("audit")
    campaign.add_items([{"item": f"q{n}", "task": "audit", "show": {"question": f"q{n}"}} for n in range(3)])
    (new,) = campaign.add_workers(["ann"])
    campaign.consent(new.worker.id)
    for seconds in (4.0, 20.0, 6.0):
        work = campaign.claim(new.worker.id)
        assert isinstance(work, Work)
        clock.now += seconds  # type: ignore[attr-defined]
        answer = {"right": "yes", "natural": "yes", "remark": ""}
        campaign.submit(new.worker.id, work.batch, work.next.item, answer)
    assert campaign_agreement(campaign, resamples=0).seconds == {"audit": 6.0}
