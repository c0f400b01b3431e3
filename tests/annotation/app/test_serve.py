"""The server as a process: it says where it is, logs no secret, and ends when it is told to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from small_campaign import FLOW, ITEMS, hidden

from recombine.annotation.app.serve import serve, take_port
from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.tasks.read_flow import check_flow
from recombine.errors import OptionError

PROGRAM = """
import sys
from recombine.annotation.app.serve import serve
serve(sys.argv[1], port=0, ready=lambda url: print(url, flush=True))
"""


def test_a_server_works_logs_no_secret_and_stops(tmp_path: Path) -> None:
    place = tmp_path / "campaign.db"
    with Campaign.create(place, check_flow(FLOW, "small"), name="small") as campaign:
        campaign.add_items(ITEMS)
        new = campaign.add_workers(["ann"])[0]
        campaign.consent(new.worker.id)
        campaign.survey(new.worker.id, None)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    server = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(place)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert server.stdout is not None
    url = server.stdout.readline().decode().strip()
    with httpx.Client(base_url=url, timeout=30) as client:
        joined = client.get(f"/join/{new.token}")
        assert joined.status_code == 303
        assert "server" not in joined.headers
        form = hidden(client.get("/work").text)
        assert client.post("/work", data=form | {"asked": "yes"}).status_code == 303
    server.send_signal(signal.SIGTERM)
    _, logged = server.communicate(timeout=60)
    assert server.returncode == 0
    lines = logged.decode().splitlines()
    assert [line.split(" ")[2:5] for line in lines] == [
        ["GET", "/join/{secret}", "303"], ["GET", "/work", "200"], ["POST", "/work", "303"],
    ]  # fmt: skip
    assert new.token.encode() not in logged
    with Campaign.open(place) as campaign:
        assert [dict(row.answer) for row in campaign.responses()] == [{"asked": "yes"}]


def test_options_that_cannot_be_served(tmp_path: Path) -> None:
    place, missing = tmp_path / "campaign.db", tmp_path / "none"
    with pytest.raises(OptionError, match="in the clear"):
        serve(place, host="0.0.0.0")  # noqa: S104
    with pytest.raises(OptionError, match="under which name"):
        serve(place, host="0.0.0.0", behind_proxy=True)  # noqa: S104
    with pytest.raises(OptionError, match="go together"):
        serve(place, certificate=missing)
    with pytest.raises(OptionError, match="is no file"):
        serve(place, certificate=missing, key=missing)
    with pytest.raises(OptionError, match="is no folder"):
        serve(place, pictures=missing)
    with pytest.raises(OptionError, match="SQLite store is served by one process"):
        serve(place, processes=2)
    with pytest.raises(OptionError, match="0 processes"):
        serve(place, processes=0)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with take_port("127.0.0.1", 0) as taken, pytest.raises(OptionError, match="cannot be taken"):
        take_port("127.0.0.1", taken.getsockname()[1])


SEVERAL = PROGRAM.replace("port=0", "port=0, processes=2")


def test_two_processes_share_a_port_and_a_postgres_store(postgres: Callable[[], str]) -> None:
    place = postgres()
    with Campaign.create(place, check_flow(FLOW, "small"), name="small") as campaign:
        campaign.add_items(
            [{"item": f"f{k}", "task": "form", "show": {"graph": {"label": f"n{k}"}}} for k in range(12)]
        )
        added = campaign.add_workers([f"w{k}" for k in range(12)])
        for each in added:
            campaign.consent(each.worker.id)
            campaign.survey(each.worker.id, None)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", SEVERAL, place], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().decode().strip()
        # A connection of its own each, so that both processes get some.
        for each in added:
            with httpx.Client(base_url=url, timeout=30) as client:
                client.get(f"/join/{each.token}")
                form = hidden(client.get("/work").text)
                assert client.post("/work", data=form | {"asked": "yes"}).status_code == 303
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        server.send_signal(signal.SIGTERM)
        _, logged = server.communicate(timeout=60)
    assert server.returncode == 0, logged.decode()
    assert len(children) >= 2
    deadline = time.monotonic() + 10
    while left := [child for child in children if Path(f"/proc/{child}").exists()]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)
    with Campaign.open(place) as campaign:
        assert sorted(row.worker for row in campaign.responses()) == sorted(each.worker.id for each in added)
        assert campaign.recompute() == []
