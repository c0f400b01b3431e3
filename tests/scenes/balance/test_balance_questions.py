"""Questions chosen from a pool: templates equal, twins first and together, answers and shapes even (COVR, App. C)."""

from __future__ import annotations

from collections import Counter
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from recombine.scenes.balance.balance_questions import balance_questions, equal_shares
from recombine.scenes.programs.execute import Value
from recombine.scenes.questions.question import Question
from recombine.scenes.subgraph import Subgraph, SubRelation

BARE = Subgraph("dog")
RELATED = Subgraph("dog", None, (SubRelation("on", Subgraph("bench")),))
_numbers = count()


def asked(
    template: str, answer: Value, pair: int | None = None, graph: Subgraph = BARE, form: str = "count"
) -> Question:
    number = next(_numbers)
    target = f"{form} ( find ( p{number} ) )"
    return Question(f"q{number}?", target, answer, ("a",), ("holds",), template, template, graph, pair, "a")


def twins(template: str, first: Value, second: Value, pair: int, form: str = "count") -> list[Question]:
    return [asked(template, first, pair, form=form), asked(template, second, pair, form=form)]


def cells(chosen: list[Question]) -> dict[str, list[int]]:
    """How often each answer is used, by form."""
    counts: dict[str, Counter[Value]] = {}
    for each in chosen:
        counts.setdefault(each.target.split()[0], Counter())[each.answer] += 1
    return {form: sorted(used.values()) for form, used in counts.items()}


def test_shares_differ_by_one_at_most_within_parts_and_in_all() -> None:
    names = [f"T{number}" for number in range(15)]
    start, total = 0, Counter[str]()
    for size in (16_000, 2_000, 2_000):
        shares = equal_shares(names, size, start=start)
        assert sum(shares.values()) == size
        assert max(shares.values()) - min(shares.values()) <= 1
        start = (start + size) % len(names)
        total.update(shares)
    assert set(total.values()) == {1333, 1334}


def test_twins_come_first_and_together() -> None:
    pool = [asked("A", "red"), *twins("A", True, False, 7), asked("A", "blue"), *twins("A", True, False, 9)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 5}, seed=0)]
    assert sorted(each.pair for each in chosen if each.pair is not None) == [7, 7, 9, 9]
    assert len(chosen) == 5


def test_a_lone_place_goes_to_a_single_question_and_not_to_half_a_pair() -> None:
    pool = [*twins("A", True, False, 1), *twins("A", True, False, 2), asked("A", True)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 3}, seed=0)]
    assert Counter(each.pair is None for each in chosen) == {False: 2, True: 1}
    without = pool[:4]
    halves = [without[place] for place in balance_questions(without, {"A": 3}, seed=0)]
    assert sorted(Counter(each.pair for each in halves).values()) == [1, 2]


def test_twins_of_equal_answers_are_no_twins() -> None:
    pool = [*twins("A", 2, 2, 1), *twins("A", 1, 3, 2)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 2}, seed=0)]
    assert [each.pair for each in chosen] == [2, 2]


def test_the_least_used_answer_comes_next_though_it_is_rare_in_the_pool() -> None:
    pool = [asked("A", 1) for _ in range(40)] + [asked("A", 2) for _ in range(4)] + [asked("A", 3) for _ in range(4)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 12}, seed=0)]
    assert Counter(each.answer for each in chosen) == {1: 4, 2: 4, 3: 4}


def test_true_and_one_are_different_answers() -> None:
    pool = [asked("A", True) for _ in range(5)] + [asked("A", 1) for _ in range(5)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 6}, seed=0)]
    assert Counter(repr(each.answer) for each in chosen) == {"True": 3, "1": 3}


def test_of_an_answer_the_least_used_shape_comes_next() -> None:
    pool = [asked("A", 1, graph=BARE) for _ in range(30)] + [asked("A", 1, graph=RELATED) for _ in range(5)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 10}, seed=0)]
    assert Counter(each.size for each in chosen) == {1: 5, 3: 5}


@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 3), st.booleans()), max_size=40),
    st.integers(0, 12),
    st.integers(0, 3),
)
def test_no_more_than_wanted_each_once_and_none_missing(
    rows: list[tuple[str, int, bool]], wanted: int, seed: int
) -> None:
    pool: list[Question] = []
    for pair, (template, answer, paired) in enumerate(rows):
        pool += twins(template, answer, answer + 1, pair) if paired else [asked(template, answer)]
    places = balance_questions(pool, {"A": wanted, "B": wanted}, seed=seed)
    assert len(set(places)) == len(places)
    have = Counter(each.template for each in pool)
    chosen = Counter(pool[place].template for place in places)
    assert all(chosen[name] == min(wanted, have[name]) for name in "AB")
    assert places == balance_questions(pool, {"A": wanted, "B": wanted}, seed=seed)


def test_shapes_are_even_under_any_seed() -> None:
    pool = [asked("A", "red", graph=graph) for graph in [BARE] * 30 + [RELATED] * 10]
    for seed in range(8):
        chosen = [pool[place] for place in balance_questions(pool, {"A": 16}, seed=seed)]
        assert Counter(each.size for each in chosen) == {1: 8, 3: 8}


def test_answers_are_even_in_every_form_and_not_only_in_the_template() -> None:
    # even in all and uneven in both forms would be 8 of 1 and 4 of 2 in one, 4 of 1 and 8 of 2 in the other
    pool = [asked("A", 1, form="count") for _ in range(16)] + [asked("A", 2, form="count") for _ in range(8)]
    pool += [asked("A", 1, form="exists") for _ in range(8)] + [asked("A", 2, form="exists") for _ in range(16)]
    for seed in range(4):
        chosen = [pool[place] for place in balance_questions(pool, {"A": 24}, seed=seed)]
        assert cells(chosen) == {"count": [6, 6], "exists": [6, 6]}


def test_forms_of_as_many_answers_are_used_alike_whatever_the_pool_has_of_them() -> None:
    pool = [asked("A", n % 2, form="count") for n in range(90)] + [asked("A", n % 2, form="exists") for n in range(20)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 32}, seed=1)]
    assert cells(chosen) == {"count": [8, 8], "exists": [8, 8]}


def test_a_form_of_more_answers_is_used_more_since_it_is_harder_to_guess() -> None:
    # the third of two answers would cost 3 * 4 / 16 and the eighth of four 8 * 16 / 256
    pool = [asked("A", n % 2, form="count") for n in range(80)] + [asked("A", n % 4, form="exists") for n in range(80)]
    chosen = [pool[place] for place in balance_questions(pool, {"A": 36}, seed=1)]
    assert cells(chosen) == {"count": [2, 2], "exists": [8, 8, 8, 8]}


def test_a_form_that_has_run_out_of_an_answer_is_used_less() -> None:
    # from 3 of 0 and 2 of 1 on, one more would cost (3 + 1) * 4 / 1, and the eleventh in the other form 11 * 4 / 16
    pool = [asked("A", 0, form="count") for _ in range(40)] + [asked("A", 1, form="count") for _ in range(2)]
    pool += [asked("A", n % 2, form="exists") for n in range(40)]
    chosen = cells([pool[place] for place in balance_questions(pool, {"A": 26}, seed=2)])
    assert chosen == {"count": [2, 3], "exists": [10, 11]}


def test_twins_that_would_lift_one_answer_alone_wait() -> None:
    # every pair of the first form has a 0 in it: after two pairs 0 stands at 2 and only three of four answers keep
    # pace, so that a third pair would cost 3 * 16 / 81, and the ninth of each answer in the other form 9 * 16 / 256
    pool = [each for n in range(30) for each in twins("A", 0, 1 + n % 3, n, form="count")]
    pool += [each for n in range(30) for each in twins("A", n % 2, 2 + n % 2, 100 + n, form="exists")]
    chosen = cells([pool[place] for place in balance_questions(pool, {"A": 40}, seed=0)])
    assert chosen == {"count": [1, 1, 2], "exists": [9, 9, 9, 9]}


def test_answers_are_even_by_size_and_by_noun_too() -> None:
    # in all, each answer is as frequent; but large sub-graphs, or boxes, mostly have a 1
    by_size = [asked("A", n % 2, graph=BARE) for n in range(60)]
    by_size += [asked("A", int(n % 5 > 0), graph=RELATED) for n in range(60)]
    chosen = [by_size[place] for place in balance_questions(by_size, {"A": 40}, seed=0)]
    assert Counter((each.size, each.answer) for each in chosen) == {(1, 0): 10, (1, 1): 10, (3, 0): 10, (3, 1): 10}
    box = Subgraph("box")
    by_noun = [asked("A", n % 2, graph=BARE) for n in range(60)]
    by_noun += [asked("A", int(n % 5 > 0), graph=box) for n in range(60)]
    chosen = [by_noun[place] for place in balance_questions(by_noun, {"A": 40}, seed=0)]
    assert Counter((each.subgraph.name, each.answer) for each in chosen) == {
        ("dog", 0): 10,
        ("dog", 1): 10,
        ("box", 0): 10,
        ("box", 1): 10,
    }
