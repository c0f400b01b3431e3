"""Compiled moves of examples between train, test pool and unused, with the divergences kept up to date.

Every example lies on one side: train, test pool or unused. A state is a permutation of the examples whose first
part is train, whose second part is the test pool and whose rest is unused, so an exchange swaps two entries and the
sizes are exact at all times. Column sums are integers (fixed-point where the weights are not), powers come from
tables, and the sums behind the divergences are recomputed from the integers at the start of every kernel call, so
rounding neither leaks into absent compounds nor piles up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from recombine.kernels.kernel import inlined, kernel, part

TRAIN, TEST, UNUSED = 0, 1, 2  # positions of the sides; a result holds (side + 1) % 3, that is 1, 2 and 0
TRIES = 4  # partners tried for one displaced example: displacing it costs as much as a trial
ROUNDS = 7  # candidates are the best of 1, 2, 4, ... or 2 ** (ROUNDS - 1) random ones: looking one up costs little
FEW = 16  # no more than this part of a side is drawn from it: the same few would be tried again and again
STALE_EXCHANGES, STALE_SHARE = 200, 4  # worths are made anew after so many exchanges and n / STALE_SHARE trials
LEAST_DIVERGENCE = 1e-6  # what a kind counts with at least in the mean of several
LEAST_SHARE = 0.02  # the divergence below which the shares of kinds do not grow further
GUIDE_PRICE = 1.0  # least price of the atom divergence in the worths: where it is capped, a blocked trial is wasted


class FeatureArrays(NamedTuple):
    """Atoms, or compounds of one kind or of several: rows of the examples, sums of the two sides and power tables.

    Compounds of several kinds have their columns kind by kind, and a row is one segment for each kind.
    """

    indptr: Any  # (n * kinds + 1,): where the segments begin
    indices: Any
    data: Any
    row_total: Any  # (n, kinds)
    counts: Any  # (columns, 2): sums over train and over the test pool
    totals: Any  # (kinds, 2): sums of the columns of counts
    train_power: Any
    test_power: Any
    alpha: float
    columns: Any  # (kinds + 1,): where the columns of each kind begin


class State(NamedTuple):
    """What an exchange changes besides the column sums, and the constraints it has to respect."""

    order: Any  # permutation of the examples: train, test pool, unused
    bounds: Any  # (4,): where the sides begin in order, and its end
    random: Any  # (1,): splitmix64 state
    pattern: Any  # label of every example (all 0 without a quota and a least number)
    pattern_count: Any  # examples of the test pool by label
    distinct: Any  # (1,): labels that the test pool has
    quota: int
    least_distinct: int
    least_atoms: int  # how often train must have an atom that the test pool has
    lengths: Any  # (kinds, n)
    length_total: Any  # (kinds, 2)
    length_bounds: Any  # (kinds, 2): lowest and highest mean(train) / mean(test)
    cap: float  # on the atom divergence
    floor: float  # below which the atom divergence must not fall
    barred: Any  # whether an example must not be in the test pool


@inlined
def next_random(random, bound):  # type: ignore[no-untyped-def]
    """Return a random integer from 0 to bound - 1."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = random[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.int64((mixed >> np.uint64(33)) * np.uint64(bound) >> np.uint64(31))


@inlined
def power(table, count, exponent):  # type: ignore[no-untyped-def]
    """Return count ** exponent, from the table where it reaches that far."""
    return table[count] if count < table.size else float(count) ** exponent


@kernel
def shift(features, segment, train_sign, test_sign, write):  # type: ignore[no-untyped-def]
    """Return how a sum of products changes when a segment joins (+1) or leaves (-1) sides; write the counts."""
    change = 0.0
    alpha = features.alpha
    counts, train_power, test_power = features.counts, features.train_power, features.test_power
    for entry in range(features.indptr[segment], features.indptr[segment + 1]):
        column = features.indices[entry]
        weight = np.int64(features.data[entry])
        train, test = counts[column, 0], counts[column, 1]
        new_train, new_test = train + train_sign * weight, test + test_sign * weight
        change += power(train_power, new_train, alpha) * power(test_power, new_test, 1.0 - alpha)
        change -= power(train_power, train, alpha) * power(test_power, test, 1.0 - alpha)
        if write:
            counts[column, 0], counts[column, 1] = new_train, new_test
    return change


@part
def shift_counts(features, example, train_sign, test_sign):  # type: ignore[no-untyped-def]
    """Write the counts once an example joins (+1) or leaves (-1) sides."""
    kinds = features.totals.shape[0]
    for entry in range(features.indptr[example * kinds], features.indptr[(example + 1) * kinds]):
        column = features.indices[entry]
        features.counts[column, 0] += train_sign * np.int64(features.data[entry])
        features.counts[column, 1] += test_sign * np.int64(features.data[entry])


@kernel
def uncovered_change(atoms, least, example, train_sign, test_sign):  # type: ignore[no-untyped-def]
    """Return how many more occurrences of the test pool's atoms train lacks once an example is shifted."""
    change = 0
    for entry in range(atoms.indptr[example], atoms.indptr[example + 1]):
        column = atoms.indices[entry]
        weight = np.int64(atoms.data[entry])
        train, test = atoms.counts[column, 0], atoms.counts[column, 1]
        if test + test_sign * weight > 0:
            change += max(0, least - train - train_sign * weight)
        if test > 0:
            change -= max(0, least - train)
    return change


@kernel
def product_sum(features, kind):  # type: ignore[no-untyped-def]
    """Return the sum over columns of a kind of train ** alpha * test ** (1 - alpha)."""
    total = 0.0
    for column in range(features.columns[kind], features.columns[kind + 1]):
        train, test = features.counts[column, 0], features.counts[column, 1]
        if train > 0 and test > 0:
            total += power(features.train_power, train, features.alpha) * power(
                features.test_power, test, 1.0 - features.alpha
            )
    return total


@kernel
def divergence(product, train_total, test_total, alpha):  # type: ignore[no-untyped-def]
    """Return 1 - Chernoff coefficient of two sums with these totals."""
    if train_total <= 0 or test_total <= 0:
        return 1.0
    return 1.0 - product / (float(train_total) ** alpha * float(test_total) ** (1.0 - alpha))


@kernel
def compound_divergence(product, train_total, test_total, alpha):  # type: ignore[no-untyped-def]
    """Return the divergence, and 0 where a side has no compounds: then nothing is held out."""
    if train_total <= 0 or test_total <= 0:
        return 0.0
    return divergence(product, train_total, test_total, alpha)


@kernel
def joined(values):  # type: ignore[no-untyped-def]
    """Return the geometric mean of several divergences: a kind that is hardly held out leaves little of the others."""
    if values.size == 1:
        return values[0]
    logs = 0.0
    for kind in range(values.size):
        logs += np.log(max(values[kind], LEAST_DIVERGENCE))
    return np.exp(logs / values.size)


@kernel
def measure_kinds(features, sums, values):  # type: ignore[no-untyped-def]
    """Return the joined divergence of the compounds; write each kind's sum of products and divergence."""
    for kind in range(sums.size):
        sums[kind] = product_sum(features, kind)
        totals = features.totals[kind]
        values[kind] = compound_divergence(sums[kind], totals[0], totals[1], features.alpha)
    return joined(values)


@part
def find_shares(values, shares):  # type: ignore[no-untyped-def]
    """Find how much the joined divergence changes with that of each kind; the shares sum to 1."""
    total = 0.0
    for kind in range(values.size):
        shares[kind] = 1.0 / max(values[kind], LEAST_SHARE)
        total += shares[kind]
    for kind in range(values.size):
        shares[kind] /= total


@kernel
def recount(state, features):  # type: ignore[no-untyped-def]
    """Recompute the column sums and totals of one kind of feature from the order."""
    features.counts[:] = 0
    features.totals[:] = 0
    for place in range(state.bounds[2]):
        side = int(place >= state.bounds[1])
        example = state.order[place]
        kinds = features.totals.shape[0]
        for kind in range(kinds):
            features.totals[kind, side] += features.row_total[example, kind]
        for entry in range(features.indptr[example * kinds], features.indptr[(example + 1) * kinds]):
            features.counts[features.indices[entry], side] += features.data[entry]


@kernel
def recount_rest(state):  # type: ignore[no-untyped-def]
    """Recompute the pattern counts and the length totals from the order."""
    state.pattern_count[:] = 0
    state.distinct[0] = 0
    state.length_total[:] = 0
    for place in range(state.bounds[2]):
        side = int(place >= state.bounds[1])
        example = state.order[place]
        if side == 1:
            state.distinct[0] += int(state.pattern_count[state.pattern[example]] == 0)
            state.pattern_count[state.pattern[example]] += 1
        for kind in range(state.lengths.shape[0]):
            state.length_total[kind, side] += state.lengths[kind, example]


@kernel
def measure(state, atoms):  # type: ignore[no-untyped-def]
    """Return the atoms' product sum and divergence, the faults and the violation.

    Faults are occurrences of atoms that train lacks, excess of quota, labels that the test pool lacks, and barred
    examples in it.
    """
    uncovered = max(0, state.least_distinct - state.distinct[0])
    for place in range(state.bounds[1], state.bounds[2]):
        uncovered += int(state.barred[state.order[place]])
    for column in range(atoms.counts.shape[0]):
        if atoms.counts[column, 1] > 0:
            uncovered += max(0, state.least_atoms - atoms.counts[column, 0])
    for label in range(state.pattern_count.size):
        uncovered += max(0, state.pattern_count[label] - state.quota)
    product = product_sum(atoms, 0)
    d_a = divergence(product, atoms.totals[0, 0], atoms.totals[0, 1], atoms.alpha)
    violation = max(0.0, d_a - state.cap, state.floor - d_a) + uncovered + length_excess(state, 0, 0, 0, 0)
    return product, d_a, uncovered, violation


@part
def length_excess(state, leaving, entering, train_sign, test_sign):  # type: ignore[no-untyped-def]
    """Return by how much the length ratios miss their bounds once two examples are exchanged."""
    excess = 0.0
    train_size = state.bounds[1]
    test_size = state.bounds[2] - train_size
    for kind in range(state.lengths.shape[0]):
        gain = state.lengths[kind, leaving] - state.lengths[kind, entering]
        train = float(state.length_total[kind, 0] + train_sign * gain) * test_size
        test = float(state.length_total[kind, 1] + test_sign * gain) * train_size
        low, high = state.length_bounds[kind, 0], state.length_bounds[kind, 1]
        excess += max(0.0, low - train / test, train / test - high)
    return excess


@kernel
def constraint_trial(state, atoms, x, y, train_sign, test_sign, product, free):  # type: ignore[no-untyped-def]
    """Return product sum, divergence, change of faults and further violation if y follows x, already shifted.

    Where the atom divergence is free, neither it nor its product sum is computed.
    """
    faults = uncovered_change(atoms, state.least_atoms, y, -train_sign, -test_sign)
    if test_sign != 0:
        entering, leaving = (x, y) if test_sign > 0 else (y, x)
        faults += int(state.barred[entering]) - int(state.barred[leaving])
        enters, leaves = state.pattern[entering], state.pattern[leaving]
        if enters != leaves:
            faults += int(state.pattern_count[enters] >= state.quota) - int(state.pattern_count[leaves] > state.quota)
            distinct = state.distinct[0]
            gained = int(state.pattern_count[enters] == 0) - int(state.pattern_count[leaves] == 1)
            faults += max(0, state.least_distinct - distinct - gained) - max(0, state.least_distinct - distinct)
    excess = length_excess(state, x, y, train_sign, test_sign)
    if free:
        return product, 0.0, faults, excess
    product += shift(atoms, y, -train_sign, -test_sign, False)
    gain = atoms.row_total[x, 0] - atoms.row_total[y, 0]
    train_total, test_total = atoms.totals[0, 0] + train_sign * gain, atoms.totals[0, 1] + test_sign * gain
    d_a = divergence(product, train_total, test_total, atoms.alpha)
    return product, d_a, faults, max(0.0, d_a - state.cap, state.floor - d_a) + excess


@part
def shift_sums(compounds, example, train_sign, test_sign, write, sums, new_sums):  # type: ignore[no-untyped-def]
    """Write each kind's sum of products once an example joins (+1) or leaves (-1) sides, and the counts if asked to."""
    for kind in range(sums.size):
        segment = example * sums.size + kind
        new_sums[kind] = sums[kind] + shift(compounds, segment, train_sign, test_sign, write)


@kernel
def compound_trial(compounds, x, y, train_sign, test_sign, sums, new_sums, values):  # type: ignore[no-untyped-def]
    """Return the joined divergence if y follows x, already shifted; write the sums and each kind's divergence."""
    shift_sums(compounds, y, -train_sign, -test_sign, False, sums, new_sums)
    for kind in range(sums.size):
        gain = compounds.row_total[x, kind] - compounds.row_total[y, kind]
        train_total = compounds.totals[kind, 0] + train_sign * gain
        test_total = compounds.totals[kind, 1] + test_sign * gain
        values[kind] = compound_divergence(new_sums[kind], train_total, test_total, compounds.alpha)
    return joined(values)


@kernel
def commit(state, atoms, compounds, x_place, y_place, train_sign, test_sign):  # type: ignore[no-untyped-def]
    """Finish an exchange whose first example is already shifted."""
    x, y = state.order[x_place], state.order[y_place]
    shift_counts(atoms, y, -train_sign, -test_sign)
    shift_counts(compounds, y, -train_sign, -test_sign)
    for features in (atoms, compounds):
        for kind in range(features.totals.shape[0]):
            gain = features.row_total[x, kind] - features.row_total[y, kind]
            features.totals[kind, 0] += train_sign * gain
            features.totals[kind, 1] += test_sign * gain
    for kind in range(state.lengths.shape[0]):
        gain = state.lengths[kind, x] - state.lengths[kind, y]
        state.length_total[kind, 0] += train_sign * gain
        state.length_total[kind, 1] += test_sign * gain
    for label, sign in ((state.pattern[x], test_sign), (state.pattern[y], -test_sign)):
        before = state.pattern_count[label]
        state.pattern_count[label] = before + sign
        state.distinct[0] += int(before == 0 and sign > 0) - int(before == 1 and sign < 0)
    state.order[x_place], state.order[y_place] = y, x


@kernel
def random_sides(state):  # type: ignore[no-untyped-def]
    """Return two different sides that both hold examples, the first of them train or test."""
    if state.bounds[3] == state.bounds[2]:
        return TRAIN, TEST
    draw = next_random(state.random, 3)
    return (TRAIN, TEST) if draw == 0 else (TRAIN, UNUSED) if draw == 1 else (TEST, UNUSED)


@part
def add_worths(state, features, kind, weight, worths):  # type: ignore[no-untyped-def]
    """Add to every example, for train and for test, how a kind's divergence rises with it there, times a weight.

    Columns are changed by one occurrence, up or down as the example would join or leave, and added up over its row.
    """
    alpha, counts, kinds = features.alpha, features.counts, features.totals.shape[0]
    train_power, test_power = features.train_power, features.test_power
    first, last = features.columns[kind], features.columns[kind + 1]
    steps = np.empty((last - first, 4))  # train with one more, with one less; test with one more, with one less
    product = 0.0
    for column in range(first, last):
        train, test = counts[column, 0], counts[column, 1]
        train_term, test_term = power(train_power, train, alpha), power(test_power, test, 1.0 - alpha)
        product += train_term * test_term
        step = steps[column - first]
        step[0] = (power(train_power, train + 1, alpha) - train_term) * test_term
        step[1] = (train_term - power(train_power, max(0, train - 1), alpha)) * test_term
        step[2] = (power(test_power, test + 1, 1.0 - alpha) - test_term) * train_term
        step[3] = (test_term - power(test_power, max(0, test - 1), 1.0 - alpha)) * train_term
    train_total, test_total = float(features.totals[kind, 0]), float(features.totals[kind, 1])
    if train_total <= 0.0 or test_total <= 0.0:
        return
    whole = train_total**alpha * test_total ** (1.0 - alpha)
    train_share, test_share = alpha * product / whole / train_total, (1.0 - alpha) * product / whole / test_total
    for place in range(state.order.size):
        example = state.order[place]
        in_train = int(place < state.bounds[1])
        in_test = 2 + int(state.bounds[1] <= place < state.bounds[2])
        train_sum, test_sum = 0.0, 0.0
        segment = example * kinds + kind
        for entry in range(features.indptr[segment], features.indptr[segment + 1]):
            step = steps[features.indices[entry] - first]
            train_sum += features.data[entry] * step[in_train]
            test_sum += features.data[entry] * step[in_test]
        row_total = features.row_total[example, kind]
        worths[example, 0] += weight * (train_share * row_total - train_sum / whole)
        worths[example, 1] += weight * (test_share * row_total - test_sum / whole)


@part
def find_worths(state, atoms, compounds, shares, upwards, price, d_a, worths):  # type: ignore[no-untyped-def]
    """Find what the energy loses with every example in train, and in test (columns 0 and 1; 2, unused, stays 0)."""
    worths[:] = 0.0
    for kind in range(shares.size):
        add_worths(state, compounds, kind, shares[kind] if upwards else -shares[kind], worths)
    if state.cap < 1.0:
        price = max(price, GUIDE_PRICE)
    if price > 0.0:
        add_worths(state, atoms, 0, price if d_a < state.floor else -price, worths)
    for example in range(state.barred.size):
        if state.barred[example]:
            worths[example, 1] = -np.inf


@part
def draw_place(state, worths, side, other, size):  # type: ignore[no-untyped-def]
    """Return the place on a side of that one of some random examples which is worth most on the other side instead."""
    best, best_worth = -1, -np.inf
    span = state.bounds[side + 1] - state.bounds[side]
    for _ in range(min(size, 1 + span // FEW)):
        place = state.bounds[side] + next_random(state.random, span)
        example = state.order[place]
        worth = worths[example, other] - worths[example, side]
        if best < 0 or worth > best_worth:
            best, best_worth = place, worth
    return best


@kernel
def exchange(state, atoms, compounds, moves, aim, price):  # type: ignore[no-untyped-def]
    """Try exchanges; keep each that lowers the violation, or else |D_C - aim| + price * D_A at no violation.

    Candidates are the best of some random examples by their worths, which are cheap, and out of date between refreshes.
    """
    atom_sum, d_a, uncovered, violation = measure(state, atoms)
    kinds = compounds.totals.shape[0]
    sums, x_sums, new_sums = np.empty(kinds), np.empty(kinds), np.empty(kinds)
    values, new_values, shares = np.empty(kinds), np.empty(kinds), np.empty(kinds)
    d_c = measure_kinds(compounds, sums, values)
    energy = abs(d_c - aim) + price * max(d_a, state.floor)
    free = state.cap >= 1.0 and state.floor <= 0.0 and price == 0.0
    worths = np.zeros((state.order.size, 3))
    exchanges, refreshed, done = STALE_EXCHANGES, -state.order.size, 0
    while done < moves:
        if exchanges >= STALE_EXCHANGES and done - refreshed >= state.order.size // STALE_SHARE:
            find_shares(values, shares)
            find_worths(state, atoms, compounds, shares, d_c < aim, price, d_a, worths)
            exchanges, refreshed = 0, done
        source, target = random_sides(state)
        train_sign = -int(source == TRAIN)
        test_sign = int(target == TEST) - int(source == TEST)
        size = 1 << next_random(state.random, ROUNDS)
        x_place = draw_place(state, worths, source, target, size)
        x = state.order[x_place]
        x_uncovered = uncovered + uncovered_change(atoms, state.least_atoms, x, train_sign, test_sign)
        x_atom_sum = atom_sum
        if free:
            shift_counts(atoms, x, train_sign, test_sign)
        else:
            x_atom_sum += shift(atoms, x, train_sign, test_sign, True)
        touched = accepted = False  # compounds are touched only once a partner passes the constraints
        for _ in range(TRIES):
            done += 1
            y_place = draw_place(state, worths, target, source, size)
            y = state.order[y_place]
            new_atom_sum, new_d_a, y_uncovered, excess = constraint_trial(
                state, atoms, x, y, train_sign, test_sign, x_atom_sum, free
            )
            new_violation = excess + x_uncovered + y_uncovered
            if new_violation > violation:
                continue
            if not touched:
                shift_sums(compounds, x, train_sign, test_sign, True, sums, x_sums)
                touched = True
            new_d_c = compound_trial(compounds, x, y, train_sign, test_sign, x_sums, new_sums, new_values)
            new_energy = abs(new_d_c - aim) + price * max(new_d_a, state.floor)
            if new_violation < violation or new_energy <= energy:
                commit(state, atoms, compounds, x_place, y_place, train_sign, test_sign)
                atom_sum, energy, violation = new_atom_sum, new_energy, new_violation
                sums[:], values[:] = new_sums, new_values
                d_a, d_c = new_d_a, new_d_c
                uncovered = x_uncovered + y_uncovered
                exchanges += 1
                accepted = True
                break
        if not accepted:
            shift_counts(atoms, x, -train_sign, -test_sign)
            if touched:
                shift_counts(compounds, x, -train_sign, -test_sign)


@kernel
def evict(state, atoms, compounds, holders, source, tries, aim, price):  # type: ignore[no-untyped-def]
    """Exchange each holder of a compound on a side for the best of some random others without it; count trials."""
    order, bounds = state.order, state.bounds
    holds = np.zeros(order.size, np.bool_)
    place_of = np.empty(order.size, np.int64)
    for place in range(order.size):
        place_of[order[place]] = place
    for x in holders:
        holds[x] = True
    atom_sum, _, uncovered, violation = measure(state, atoms)
    kinds = compounds.totals.shape[0]
    sums, x_sums, new_sums, best_sums = np.empty(kinds), np.empty(kinds), np.empty(kinds), np.empty(kinds)
    values = np.empty(kinds)
    measure_kinds(compounds, sums, values)
    trials = 0
    for x in holders:
        x_place = place_of[x]
        if x_place < bounds[source] or x_place >= bounds[source + 1]:
            continue
        target = 1 - source if bounds[3] == bounds[2] or next_random(state.random, 2) == 0 else UNUSED
        train_sign = int(target == TRAIN) - int(source == TRAIN)
        test_sign = int(target == TEST) - int(source == TEST)
        x_uncovered = uncovered + uncovered_change(atoms, state.least_atoms, x, train_sign, test_sign)
        x_atom_sum = atom_sum + shift(atoms, x, train_sign, test_sign, True)
        shift_sums(compounds, x, train_sign, test_sign, True, sums, x_sums)
        best_place, best_energy = -1, np.inf
        best = (0.0, 0)
        for _ in range(tries):
            y_place = bounds[target] + next_random(state.random, bounds[target + 1] - bounds[target])
            y = order[y_place]
            if holds[y]:
                continue
            trials += 1
            new_atom_sum, d_a, y_uncovered, excess = constraint_trial(
                state, atoms, x, y, train_sign, test_sign, x_atom_sum, False
            )
            if excess + x_uncovered + y_uncovered > violation:
                continue
            d_c = compound_trial(compounds, x, y, train_sign, test_sign, x_sums, new_sums, values)
            energy = abs(d_c - aim) + price * max(d_a, state.floor)
            if energy < best_energy:
                best_place, best_energy = y_place, energy
                best = (new_atom_sum, x_uncovered + y_uncovered)
                best_sums[:] = new_sums
        if best_place < 0:
            shift_counts(atoms, x, -train_sign, -test_sign)
            shift_counts(compounds, x, -train_sign, -test_sign)
            continue
        place_of[order[best_place]], place_of[x] = x_place, best_place
        commit(state, atoms, compounds, x_place, best_place, train_sign, test_sign)
        atom_sum, uncovered = best
        sums[:] = best_sums
    return trials


@kernel
def slopes(features, smoothing):  # type: ignore[no-untyped-def]
    """Return how the log of the Chernoff coefficient changes as each example joins train, and as it joins test.

    Of several kinds, the changes are added up by their shares of the joined divergence.
    """
    alpha, examples, kinds = features.alpha, features.row_total.shape[0], features.totals.shape[0]
    totals = np.maximum(features.totals, 1)  # a side may have none of them
    by_column = np.empty((features.counts.shape[0], 2))
    by_example = np.zeros((examples, 2))
    sums, values, shares = np.empty(kinds), np.empty(kinds), np.empty(kinds)
    measure_kinds(features, sums, values)
    find_shares(values, shares)
    for kind in range(kinds):
        train_all, test_all = totals[kind, 0], totals[kind, 1]
        product = 0.0
        for column in range(features.columns[kind], features.columns[kind + 1]):
            train = features.counts[column, 0] + smoothing
            test = features.counts[column, 1] + smoothing * test_all / train_all
            term = train**alpha * test ** (1.0 - alpha)
            product += term
            by_column[column, 0] = alpha * term / train
            by_column[column, 1] = (1.0 - alpha) * term / test
        for example in range(examples):
            train_sum, test_sum = 0.0, 0.0
            segment = example * kinds + kind
            for entry in range(features.indptr[segment], features.indptr[segment + 1]):
                train_sum += features.data[entry] * by_column[features.indices[entry], 0]
                test_sum += features.data[entry] * by_column[features.indices[entry], 1]
            row_total = features.row_total[example, kind]
            by_example[example, 0] += shares[kind] * (train_sum / product - alpha * row_total / train_all)
            by_example[example, 1] += shares[kind] * (test_sum / product - (1.0 - alpha) * row_total / test_all)
    return by_example
