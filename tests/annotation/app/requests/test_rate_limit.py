"""A client has a bucket of its own, which fills with time; buckets are bounded."""

from __future__ import annotations

from recombine.annotation.app.address import address_of
from recombine.annotation.app.requests.rate_limit import RateLimit
from recombine.annotation.app.settings import Settings


class Clock:
    """A time that stands still until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_hundred_requests_in_a_second_are_too_many() -> None:
    clock, usual = Clock(), Settings(address_of("127.0.0.1", 8000))
    assert (usual.requests_per_second, usual.burst) == (20, 60)
    limit = RateLimit(per_second=usual.requests_per_second, burst=usual.burst, clock=clock)
    let_through = 0
    for _ in range(100):
        let_through += limit.wait("ann") == 0
        clock.now += 0.01
    # 60 at once, and one more for every 50 ms of the second: 60 + 19, by hand.
    assert let_through == 79


def test_time_fills_the_bucket_to_its_brim_and_no_further() -> None:
    clock = Clock()
    limit = RateLimit(per_second=2, burst=3, clock=clock)
    assert [limit.wait("ann") for _ in range(4)] == [0, 0, 0, 1]
    clock.now = 0.5
    assert [limit.wait("ann") for _ in range(2)] == [0, 1]
    clock.now = 1000.0
    assert [limit.wait("ann") for _ in range(4)] == [0, 0, 0, 1]


def test_the_wait_is_as_long_as_it_takes() -> None:
    limit = RateLimit(per_second=0.1, burst=1, clock=Clock())
    assert [limit.wait("ann"), limit.wait("ann")] == [0, 10]


def test_clients_do_not_use_up_each_others() -> None:
    limit = RateLimit(per_second=1, burst=1, clock=Clock())
    assert [limit.wait(name) for name in ("ann", "bob", "ann", "bob")] == [0, 0, 1, 1]


def test_buckets_are_bounded_and_the_oldest_goes() -> None:
    limit = RateLimit(per_second=1, burst=1, clients=2, clock=Clock())
    for name in ("ann", "bob", "cid"):
        limit.wait(name)
    assert [limit.knows(name) for name in ("ann", "bob", "cid")] == [False, True, True]
