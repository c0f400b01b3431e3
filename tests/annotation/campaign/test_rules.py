"""The rules of a campaign, one by one, on a handful of items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.campaign.records import NoWork, Receipt, Work
from recombine.errors import (
    AdjudicationError,
    AlreadyAnsweredError,
    CampaignError,
    ConsentError,
    NotYoursError,
    OptionError,
    RecordError,
    RefusedAnswerError,
    UnknownTokenError,
    UnknownWorkerError,
)

Make, Add = Callable[..., Campaign], Callable[..., list[str]]
YES, NO = {"same": "yes", "fluent": "yes"}, {"same": "no", "fluent": "yes"}


def paraphrases(number: int) -> list[dict[str, Any]]:
    return [{"item": f"q{k}", "task": "paraphrase", "show": {"question": f"who wrote [B{k}]?"}} for k in range(number)]


def checks(number: int, author: str = "") -> list[dict[str, Any]]:
    show = [{"canonical": f"who wrote [B{k}]?", "question": f"by whom is [B{k}]?"} for k in range(number)]
    return [{"item": f"c{k}", "task": "check", "author": author, "show": each} for k, each in enumerate(show)]


def controls(number: int) -> list[dict[str, Any]]:
    show = [{"canonical": f"control {k}", "question": f"a control {k}"} for k in range(number)]
    return [{"task": "check", "show": each, "answer": YES if k % 2 else NO} for k, each in enumerate(show)]


def claimed(campaign: Campaign, worker: str, **options: Any) -> Work:
    work = campaign.claim(worker, **options)
    assert isinstance(work, Work), work
    return work


def answer(campaign: Campaign, worker: str, said: Callable[[str], dict[str, str]]) -> Receipt:
    """Answer all of a worker's work in this round."""
    work = claimed(campaign, worker)
    receipt = None
    for each in work.assignments:
        receipt = campaign.submit(worker, work.batch, each.item, said(each.item), round=work.round)
    assert receipt is not None
    return receipt


def expected(campaign: Campaign) -> dict[str, dict[str, str]]:
    return {control.item: dict(control.expected) for control in campaign.controls()}


def right(campaign: Campaign, otherwise: dict[str, str] = YES) -> Callable[[str], dict[str, str]]:
    known = expected(campaign)
    return lambda item: known.get(item, otherwise)


def wrong(campaign: Campaign) -> Callable[[str], dict[str, str]]:
    known = expected(campaign)
    return lambda item: {**known[item], "fluent": "no"} if item in known else YES


def write(campaign: Campaign, worker: str, text: str) -> Receipt:
    work = claimed(campaign, worker, task="paraphrase")
    book = work.next.show["question"].split("[")[1].split("]")[0]
    return campaign.submit(worker, work.batch, work.next.item, {"paraphrase": f"{text} [{book}]"})


def rows(campaign: Campaign) -> list[tuple[str, bool, str]]:
    return [(row.task, row.counted, row.reason) for row in campaign.responses()]


def test_work_is_for_who_agreed_and_stays_the_same_until_it_is_done(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    campaign.add_items(paraphrases(2))
    ann = campaign.add_workers(["ann"])[0]
    with pytest.raises(ConsentError):
        campaign.claim(ann.worker.id)
    campaign.consent(ann.worker.id)
    assert campaign.worker_of(ann.token).consented
    first = claimed(campaign, ann.worker.id)
    assert claimed(campaign, ann.worker.id) == first == campaign.work(ann.worker.id)
    write(campaign, ann.worker.id, "by whom is")
    assert claimed(campaign, ann.worker.id).next.item != first.next.item


def test_no_worker_gets_an_item_twice_and_none_over_its_slots(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    campaign.add_items(paraphrases(1))
    workers = add(campaign, *"abcdefg")
    taken = [campaign.claim(worker) for worker in workers]
    assert [isinstance(work, Work) for work in taken] == [True] * 5 + [False] * 2
    assert taken[5] == NoWork("none_for_you", 1)
    write(campaign, workers[0], "text")
    assert campaign.claim(workers[0], task="paraphrase") == NoWork("none_for_you", 1)


def test_the_author_does_not_judge_and_a_text_is_judged_by_others(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign(check__batch__controls=0, check__batch__size=2)
    campaign.add_items(paraphrases(1))
    ann, *others = add(campaign, "ann", "b", "c", "d", "e")
    write(campaign, ann, "text")
    assert campaign.claim(ann, task="check") == NoWork("none_for_you", 1)
    for worker in others:
        claimed(campaign, worker, task="check")
        answer(campaign, worker, right(campaign))
    (check,) = campaign.items(task="check")
    assert (check.state, check.votes, check.author, check.show["question"]) == ("accepted", 4, ann, "text [B0]")
    (form,) = campaign.items(task="paraphrase")
    assert (form.state, form.valid, form.votes, form.pending) == ("open", 1, 1, 0)
    (valid,) = campaign.valid_answers()
    assert (valid.worker, valid.answer, valid.votes, valid.shares) == (
        ann, {"paraphrase": "text [B0]"}, 4, {"same": 1.0, "fluent": 1.0},
    )  # fmt: skip


def test_an_item_whose_author_is_named_in_its_file_is_not_judged_by_them(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign(check__batch__controls=0)
    campaign.add_items(checks(3, author="ann"))
    ann, bob = add(campaign, "ann", "bob")
    assert isinstance(campaign.claim(ann), NoWork)
    assert len(claimed(campaign, bob).assignments) == 3


def test_an_item_ends_at_five_valid_or_exhausted(new_campaign: Make, add: Add) -> None:
    options = {"check__batch__controls": 0, "check__batch__size": 2, "check__workers": 1}
    campaign = new_campaign(**options, paraphrase__attempts=7)
    campaign.add_items(paraphrases(2))
    writers = add(campaign, *(f"w{k}" for k in range(14)))
    judge = add(campaign, "judge")[0]
    good, bad = [each.item for each in campaign.items()]
    for worker in writers:
        work = campaign.claim(worker, task="paraphrase")
        while isinstance(work, Work):
            form = work.next.item
            book = work.next.show["question"].split("[")[1].split("]")[0]
            campaign.submit(worker, work.batch, form, {"paraphrase": f"{worker} [{book}]"})
            judged = claimed(campaign, judge, task="check")
            campaign.submit(judge, judged.batch, judged.next.item, YES if form == good else NO)
            work = campaign.claim(worker, task="paraphrase")
    assert (campaign.item(good).state, campaign.item(good).valid, campaign.item(good).votes) == ("complete", 5, 5)
    assert (campaign.item(bad).state, campaign.item(bad).valid, campaign.item(bad).votes) == ("exhausted", 0, 7)
    assert campaign.recompute() == []
    assert campaign.status().done
    assert campaign.claim(writers[0]) == NoWork("done", 0)


def test_a_batch_has_nine_items_and_a_control_that_nothing_gives_away(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    campaign.add_items(checks(30))
    campaign.add_controls(controls(10))
    workers = add(campaign, *(f"w{k}" for k in range(12)))
    places, kinds = set(), set()
    known = expected(campaign)
    for worker in workers:
        work = claimed(campaign, worker)
        hidden = [each for each in work.assignments if each.item in known]
        assert (len(work.assignments), len(hidden)) == (10, 1)
        assert {frozenset(vars(each)) for each in work.assignments} == {frozenset(vars(hidden[0]))}
        places.add(hidden[0].position)
        kinds.add(known[hidden[0].item]["same"])
    assert len(places) > 3
    assert kinds == {"yes", "no"}


def test_votes_count_when_the_batch_has_passed(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign(check__workers=1)
    campaign.add_items(checks(2))
    campaign.add_controls(controls(2))
    ann = add(campaign, "ann")[0]
    work = claimed(campaign, ann)
    known = right(campaign)
    for each in work.assignments[:2]:
        campaign.submit(ann, work.batch, each.item, known(each.item))
    assert {reason for _, _, reason in rows(campaign)} <= {"pending", "control"}
    assert [item.state for item in campaign.items() if not item.control] == ["open", "open"]
    receipt = campaign.submit(ann, work.batch, work.assignments[2].item, known(work.assignments[2].item))
    assert (receipt.batch_ended, receipt.reconsider, receipt.paused) == (True, False, False)
    assert sorted(rows(campaign)) == [("check", False, "control")] + [("check", True, "")] * 2
    assert [item.state for item in campaign.items() if not item.control] == ["accepted", "accepted"]


def test_who_fails_the_control_reconsiders_once_and_both_answers_are_kept(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign(check__workers=1)
    campaign.add_items(checks(2))
    campaign.add_controls(controls(2))
    ann = add(campaign, "ann")[0]
    receipt = answer(campaign, ann, wrong(campaign))
    assert (receipt.batch_ended, receipt.reconsider) == (False, True)
    again = claimed(campaign, ann)
    assert (again.round, again.done, [each.answered for each in again.assignments]) == (2, 0, [False] * 3)
    assert all(each.answer is not None for each in again.assignments)
    receipt = campaign.submit_all(
        ann, again.batch, {each.item: right(campaign, NO)(each.item) for each in again.assignments}, round=2
    )
    assert (receipt.batch_ended, receipt.reconsider) == (True, False)
    kept = [(row.revision, row.counted, row.reason) for row in campaign.responses() if not row.control]
    assert kept == [(1, False, "revised")] * 2 + [(2, True, "")] * 2
    assert [item.state for item in campaign.items() if not item.control] == ["rejected", "rejected"]
    assert campaign.recompute() == []


def test_a_second_failure_sets_the_batch_aside_and_two_of_them_pause(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign(check__batch__size=3)
    campaign.add_items(checks(4))
    campaign.add_controls(controls(6))
    ann, bob = add(campaign, "ann", "bob")
    for paused in (False, True):
        answer(campaign, ann, wrong(campaign))
        receipt = answer(campaign, ann, wrong(campaign))
        assert (receipt.batch_ended, receipt.paused) == (True, paused)
    assert campaign.worker(ann).state == "paused"
    assert campaign.claim(ann) == NoWork("paused", 0)
    assert {reason for _, _, reason in rows(campaign)} == {"set_aside", "control"}
    assert [(item.votes, item.leased) for item in campaign.items() if not item.control] == [(0, 0)] * 4
    assert len(claimed(campaign, bob).assignments) == 3
    campaign.resume(ann)
    assert isinstance(campaign.claim(ann), NoWork)  # ann has had all four items
    assert campaign.recompute() == []


def test_reconsidering_that_is_left_sets_the_batch_aside(new_campaign: Make, add: Add, clock: Any) -> None:
    campaign = new_campaign()
    campaign.add_items(checks(2))
    campaign.add_controls(controls(2))
    ann = add(campaign, "ann")[0]
    answer(campaign, ann, wrong(campaign))
    assert campaign.give_back(ann) == 3
    assert [batch.state for batch in campaign.batches()] == ["set_aside"]
    assert campaign.worker(ann).set_aside == 1
    assert campaign.recompute() == []


def test_a_worker_without_an_unseen_control_waits_for_one(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign(check__batch__size=2)
    campaign.add_items(checks(3))
    campaign.add_controls(controls(1))
    ann = add(campaign, "ann")[0]
    answer(campaign, ann, right(campaign))
    assert campaign.claim(ann) == NoWork("no_control", 3)
    assert campaign.status().without_control == 1
    assert campaign.add_controls(controls(2)).added == 1
    assert claimed(campaign, ann)


def test_unanimous_items_become_controls_for_others_than_author_and_judges(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign(check__batch__size=2, check__workers=2, check__batch__bad_share=0.0)
    ann, bob, eve, zoe = add(campaign, "ann", "bob", "eve", "zoe")
    campaign.add_items(checks(1, author="ann"))
    campaign.add_controls(controls(2))
    for worker in (bob, eve):
        answer(campaign, worker, right(campaign))
    grown = [control for control in campaign.controls() if control.grown]
    assert [(control.expected, control.good) for control in grown] == [(YES, True)]
    more = [{**line, "item": f"more{k}", "show": {**line["show"], "canonical": f"x{k}"}} for k, line in
            enumerate(checks(8))]  # fmt: skip
    campaign.add_items(more)
    seen = {}
    for worker in (ann, bob, eve, zoe):
        mine = set()
        while isinstance(work := campaign.claim(worker), Work):
            mine |= {each.item for each in work.assignments}
            for each in work.assignments:
                campaign.submit(worker, work.batch, each.item, right(campaign)(each.item))
        seen[worker] = grown[0].item in mine
    assert seen == {ann: False, bob: False, eve: False, zoe: True}
    assert campaign.recompute() == []


def test_a_lease_that_runs_out_returns_and_a_late_answer_is_kept_and_not_counted(
    new_campaign: Make, add: Add, clock: Any
) -> None:
    campaign = new_campaign("audit")
    campaign.add_items([{"item": "a", "task": "audit", "show": {"question": "who?"}}])
    ann, bob = add(campaign, "ann", "bob")
    work = claimed(campaign, ann)
    clock.now += 30 * 60 - 1
    assert isinstance(campaign.claim(bob), NoWork)
    clock.now += 1
    assert campaign.work(ann) is None
    others = claimed(campaign, bob)
    said = {"right": "yes", "natural": "yes"}
    receipt = campaign.submit(ann, work.batch, work.next.item, said)
    assert receipt.late
    campaign.submit(bob, others.batch, others.next.item, {**said, "right": "no"})
    assert rows(campaign) == [("audit", False, "late"), ("audit", True, "")]
    assert next(campaign.verdicts()).state == "rejected"
    assert campaign.submit(ann, work.batch, work.next.item, said).repeated
    assert campaign.recompute() == []


def test_who_let_a_lease_run_out_may_have_the_item_again_until_they_answer(
    new_campaign: Make, add: Add, clock: Any
) -> None:
    campaign = new_campaign("audit")
    campaign.add_items([{"item": "a", "task": "audit", "show": {"question": "who?"}}])
    ann = add(campaign, "ann")[0]
    first = claimed(campaign, ann)
    clock.now += 31 * 60
    again = claimed(campaign, ann)
    assert (again.batch != first.batch, again.next.item) == (True, first.next.item)
    said = {"right": "yes", "natural": "yes"}
    campaign.submit(ann, first.batch, first.next.item, said)
    campaign.submit(ann, again.batch, first.next.item, said)
    assert rows(campaign) == [("audit", False, "late"), ("audit", True, "")]
    assert campaign.recompute() == []


def test_answers_and_drafts_put_the_end_of_a_lease_off(new_campaign: Make, add: Add, clock: Any) -> None:
    campaign = new_campaign()
    campaign.add_items(paraphrases(1))
    ann, bob = add(campaign, "ann", "bob")
    work = claimed(campaign, ann)
    clock.now += 29 * 60
    campaign.save_draft(ann, work.batch, work.next.item, {"paraphrase": "by wh"})
    clock.now += 29 * 60
    kept = campaign.work(ann)
    assert kept is not None
    assert kept.next.draft == {"paraphrase": "by wh"}
    with pytest.raises(NotYoursError):
        campaign.save_draft(bob, work.batch, work.next.item, {"paraphrase": "mine"})
    write(campaign, ann, "by whom is")
    assert rows(campaign) == [("paraphrase", True, "")]


def test_the_same_answer_again_is_one_response_and_another_is_refused(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    campaign.add_items(paraphrases(1))
    ann, bob = add(campaign, "ann", "bob")
    work = claimed(campaign, ann)
    said = {"paraphrase": "by whom is [B0]?"}
    first = campaign.submit(ann, work.batch, work.next.item, said)
    again = campaign.submit(ann, work.batch, work.next.item, said)
    assert (first.repeated, again.repeated, first.response) == (False, True, again.response)
    with pytest.raises(AlreadyAnsweredError):
        campaign.submit(ann, work.batch, work.next.item, {"paraphrase": "[B0] is by whom?"})
    for batch, item in ((work.batch, work.next.item), (work.batch, "none"), ("none", work.next.item)):
        with pytest.raises(NotYoursError):
            campaign.submit(bob, batch, item, said)
    assert len(rows(campaign)) == 1


def test_what_is_refused_is_counted_and_can_be_mended(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    campaign.add_items(paraphrases(1))
    ann, bob = add(campaign, "ann", "bob")
    work, others = claimed(campaign, ann), claimed(campaign, bob)
    with pytest.raises(RefusedAnswerError, match=r"\[B0\] is lost"):
        campaign.submit(ann, work.batch, work.next.item, {"paraphrase": "by whom?"})
    campaign.submit(ann, work.batch, work.next.item, {"paraphrase": "By whom is [B0]?"})
    with pytest.raises(RefusedAnswerError, match="somebody wrote this already"):
        campaign.submit(bob, others.batch, others.next.item, {"paraphrase": "by whom is [B0]"})
    assert campaign.status().tasks[1].refused == {"brackets_lost": 1, "copy_of_pending": 1}
    assert [entry.what for entry in campaign.log()].count("refused") == 2
    assert campaign.work(bob) is not None


def test_forms_feed_canonical_questions_which_feed_paraphrases(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    show = {"graph_query": {"label": "film"}, "questions": ["which film?"]}
    keep = {"target": "(AND film)"}
    lines = [{"item": f"f{k}", "task": "form", "show": {**show, "n": k}, "keep": keep} for k in range(2)]
    assert campaign.add_items(lines).added == 2
    one, two = add(campaign, "one", "two", qualifications=("expert",))
    crowd = add(campaign, "crowd")[0]
    assert campaign.claim(crowd) == NoWork("done", 0)
    for said in ("yes", "no"):
        work = claimed(campaign, one, task="form")
        campaign.submit(one, work.batch, work.next.item, {"asked": said})
    assert [item.state for item in campaign.items(task="form")] == ["accepted", "rejected"]
    for text, faithful in (("Which [film]?", "no"), ("What [film] is it?", "yes")):
        writer, checker = (one, two) if faithful == "no" else (two, one)
        work = claimed(campaign, writer, task="canonical")
        campaign.submit(writer, work.batch, work.next.item, {"question": text})
        assert isinstance(campaign.claim(writer, task="canonical_check"), NoWork)
        work = claimed(campaign, checker, task="canonical_check")
        campaign.submit(checker, work.batch, work.next.item, {"faithful": faithful, "fluent": "yes"})
    (canonical,) = campaign.items(task="canonical")
    assert (canonical.state, canonical.votes, canonical.valid) == ("complete", 2, 1)
    (made,) = campaign.items(task="paraphrase")
    assert (made.show["question"], made.keep, made.state) == ("What [film] is it?", keep, "open")
    assert claimed(campaign, crowd).task == "paraphrase"
    assert campaign.recompute() == []


def test_an_item_of_a_file_waits_for_its_parent(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign("covr", validate__workers=1)
    show = {"pictures": [], "question": "how many?", "answer": "2"}
    for name in ("a", "b"):
        shown = {**show, "question": f"how many {name}?"}
        campaign.add_items([{"item": f"{name}/validate", "task": "validate", "parent": None, "show": shown}])
        line = {"item": f"{name}/paraphrase", "task": "paraphrase", "parent": f"{name}/validate", "show": shown}
        campaign.add_items([line])
    ann = add(campaign, "ann")[0]
    assert [item.state for item in campaign.items(task="paraphrase")] == ["waiting", "waiting"]
    assert not campaign.status().done
    for verdict in ("valid", "unsure"):
        work = claimed(campaign, ann, task="validate")
        campaign.submit(ann, work.batch, work.next.item, {"verdict": verdict})
    assert [item.state for item in campaign.items(task="paraphrase")] == ["open", "withdrawn"]
    assert campaign.recompute() == []


def test_an_answer_that_must_be_matched_is_not_shown(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign("covr")
    shown = {"pictures": [], "question": "how many?", "answer": "2"}
    campaign.add_items([{"item": "a", "task": "answer", "show": shown}])
    work = claimed(campaign, add(campaign, "ann")[0])
    assert "answer" not in work.next.show


def test_a_lead_decides_above_votes_within_what_is_wanted(new_campaign: Make, add: Add) -> None:
    options = {"check__batch__controls": 0, "check__batch__size": 2, "check__workers": 1}
    campaign = new_campaign(**options, paraphrase__until_valid=1, paraphrase__attempts=2)
    campaign.add_items(paraphrases(1))
    ann, bob = add(campaign, "ann", "bob")
    lead = add(campaign, "lead", qualifications=("lead",))[0]
    for writer, judge, vote in ((ann, bob, NO), (bob, ann, NO)):
        write(campaign, writer, f"text {writer}")
        work = claimed(campaign, judge, task="check")
        campaign.submit(judge, work.batch, work.next.item, vote)
    (form,) = campaign.items(task="paraphrase")
    assert form.state == "exhausted"
    assert form.item in [item.item for item in campaign.disputes()]
    first, second = [item.item for item in campaign.items(task="check")]
    with pytest.raises(AdjudicationError, match="no lead"):
        campaign.adjudicate(ann, first, accepted=True)
    with pytest.raises(AdjudicationError, match="not voted on"):
        campaign.adjudicate(lead, form.item, accepted=True)
    verdict = campaign.adjudicate(lead, first, accepted=True, note="it is right")
    assert (verdict.state, verdict.by) == ("accepted", lead)
    assert campaign.item(form.item).state == "complete"
    with pytest.raises(AdjudicationError, match="1 others are valid"):
        campaign.adjudicate(lead, second, accepted=True)
    assert campaign.recompute() == []
    campaign.adjudicate(lead, first, accepted=False)
    assert (campaign.item(form.item).state, campaign.item(form.item).valid) == ("exhausted", 0)
    assert rows(campaign)[-1] == ("check", True, "adjudication")
    assert campaign.recompute() == []


def test_a_lead_does_not_undo_what_others_have_gone_on_from(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    campaign.add_items([{"item": "f", "task": "form", "show": {"graph_query": {}}}])
    one = add(campaign, "one", qualifications=("expert", "lead"))[0]
    two = add(campaign, "two", qualifications=("expert",))[0]
    work = claimed(campaign, two)
    campaign.submit(two, work.batch, work.next.item, {"asked": "yes"})
    (form,) = campaign.items(task="form")
    campaign.adjudicate(one, form.item, accepted=False)
    assert [item.state for item in campaign.items(task="canonical")] == ["withdrawn"]
    campaign.adjudicate(one, form.item, accepted=True)
    assert [item.state for item in campaign.items(task="canonical")] == ["open"]
    work = claimed(campaign, two, task="canonical")
    with pytest.raises(AdjudicationError, match="gone on"):
        campaign.adjudicate(one, form.item, accepted=False)
    assert campaign.recompute() == []


def test_workers_are_stored_without_tokens_and_forgotten_without_their_votes(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign("audit")
    campaign.add_items([{"item": "a", "task": "audit", "author": "ann", "show": {"question": "who?"}}])
    ann = campaign.add_workers(["ann"], qualifications=("lead",))[0]
    campaign.consent(ann.worker.id)
    work = claimed(campaign, ann.worker.id)
    campaign.submit(ann.worker.id, work.batch, work.next.item, {"right": "yes", "natural": "yes"})
    stored = b"".join(path.read_bytes() for path in campaign.place.parent.glob("*.db*"))  # type: ignore[union-attr]
    assert ann.token.encode() not in stored
    assert "ann" not in ann.worker.id
    renewed = campaign.new_token(ann.worker.id)
    with pytest.raises(UnknownTokenError):
        campaign.worker_of(ann.token)
    campaign.forget(ann.worker.id)
    for token in (ann.token, renewed, "", "x" * 10_000):
        with pytest.raises(UnknownTokenError):
            campaign.worker_of(token)
    assert (campaign.worker(ann.worker.id).name, campaign.worker(ann.worker.id).state) == ("", "left")
    assert rows(campaign) == [("audit", True, "")]
    assert {item.author for item in campaign.items()} == {ann.worker.id}
    assert all("ann" not in str(entry.data) for entry in campaign.log())
    assert campaign.verify_log().holds
    with pytest.raises(UnknownWorkerError):
        campaign.worker_named("ann")


def test_enrolment_is_for_campaigns_that_are_open(new_campaign: Make) -> None:
    with pytest.raises(CampaignError, match="not open"):
        new_campaign("audit").enrol("A1")
    campaign = new_campaign("audit")
    campaign.flow = campaign.flow.model_copy(update={"open_enrolment": True})
    object.__setattr__(campaign._rules, "flow", campaign.flow)
    first, again = campaign.enrol("A1"), campaign.enrol("A1")
    assert (first.worker, first.token != again.token) == (again.worker, True)
    assert campaign.worker_of(first.token) == campaign.worker_of(again.token)
    lead = campaign.add_workers(["lead"], qualifications=("lead",))[0]
    assert campaign.enrol(lead.worker.name).worker.qualifications == ()
    assert campaign.enrol(lead.worker.name).worker.id != lead.worker.id
    with pytest.raises(OptionError, match="as those who enrol do"):
        campaign.add_workers(["outer:A2"])
    assert campaign.completion_code(first.worker.id) is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"task": "nothing", "show": {}}, "line 2: unknown task 'nothing'"),
        ({"task": "check"}, "line 2: 'show' is no object"),
        ({"task": "check", "show": {"canonical": "a"}}, "line 2: 'show' has no 'question'"),
        ({"task": "surface_forms", "show": {"name": "a"}}, "line 2: 'show' has no 'names'"),
        ({"task": "check", "show": {"canonical": "a", "question": "b"}, "keep": 3}, "line 2: 'keep' is no object"),
    ],
)
def test_a_file_with_a_wrong_line_adds_nothing(new_campaign: Make, line: dict[str, Any], said: str) -> None:
    campaign = new_campaign()
    with pytest.raises(RecordError) as caught:
        campaign.add_items([*paraphrases(1), line], file="mine.jsonl")
    assert said in str(caught.value)
    assert list(campaign.items()) == []


def test_a_control_must_have_an_answer_of_its_task(new_campaign: Make) -> None:
    campaign = new_campaign()
    for answers, said in (({"same": "yes"}, "is not answered"), (None, "'answer' is no object")):
        with pytest.raises(RecordError, match=said):
            campaign.add_controls([{**controls(1)[0], "answer": answers}])
    with pytest.raises(RecordError, match="has no controls"):
        campaign.add_controls([{**paraphrases(1)[0], "answer": {"paraphrase": "x [B0]"}}])


def test_adding_again_changes_nothing(new_campaign: Make) -> None:
    campaign = new_campaign()
    assert (campaign.add_items(paraphrases(3)).added, campaign.add_items(paraphrases(4)).repeated) == (3, 3)
    assert (campaign.add_controls(controls(2)).added, campaign.add_controls(controls(2)).added) == (2, 0)


def test_the_survey_keeps_totals_alone(new_campaign: Make, add: Add) -> None:
    campaign = new_campaign()
    workers = add(campaign, *(f"w{k}" for k in range(12)))
    for place, worker in enumerate(workers):
        campaign.survey(worker, {"gender": "female" if place < 6 else "male" if place < 11 else "another"})
    campaign.survey(workers[0], {"gender": "male"})
    with pytest.raises(RefusedAnswerError):
        campaign.survey(add(campaign, "x")[0], {"gender": "?"})
    totals = campaign.survey_totals()
    assert (totals.workers, totals.counts) == (12, {"gender": {"female": 6, "others together": 6}})
    assert all("female" not in str(entry.data) for entry in campaign.log())
