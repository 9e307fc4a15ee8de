"""What is done to the containers of a stack while followers watch."""

import json
import os
import subprocess
import sys
import time

import grpc

from clients import Followers, Lister
from stack import ExitCodes, crash, run, wait_until

DATA = "/var/lib/kart"
SOCKETS = "/run/kart"

# The race that is recorded until the disk is full.
FILLER = '[{"name": "Filler", "laps": 1, "startTime": "2099-01-01T10:00:00Z"}]'

# Takes memory in the control group of a process, which is to be chosen first when there is no more, until
# that process is gone.
HOG = """
import os, sys
victim, group = int(sys.argv[1]), sys.argv[2]
open(f"/proc/{victim}/oom_score_adj", "w").write("1000")
open(group, "w").write(str(os.getpid()))
taken = []
while os.path.exists(f"/proc/{victim}") and len(taken) < 4096:
    taken.append(bytearray(os.urandom(1024)) * 1024)
"""


class Chaos:
    """Disturbs a stack, one thing after another, and keeps what each cost."""

    def __init__(self, stack, address, race):
        self.stack = stack
        self.address = address
        self.followers = Followers(address, race)
        self.lister = Lister(address)
        self.lister.start()
        self.rows = []
        wait_until(lambda: self.followers.slowest > 1, "every follower gets events")

    def disturb(self, name, action, containers=None):
        """Does something, and waits until everyone is served as before."""
        self.followers.take_longest_gap()
        self.lister.take_longest()
        begun = time.monotonic()
        action()
        acted = time.monotonic() - begun
        self.followers.expect_more()
        wait_until(self.followers.are_fed, f"after “{name}” every follower gets events")
        wait_until(lambda: self.stack.is_well(containers), f"after “{name}” all is well")
        self.rows.append(
            (
                name,
                f"{self.followers.take_longest_gap():.2f} s",
                f"{self.lister.take_longest():.2f} s",
                f"{time.monotonic() - begun - acted:.1f} s",
            )
        )
        print(f"  {name}: events paused {self.rows[-1][1]}", flush=True)

    def crash_each(self):
        for container in self.stack.containers():
            self.disturb(f"crash of {container.name}", lambda: self.crash(container))

    def crash(self, container):
        service = container.name
        crash(container)
        wait_until(lambda: self.is_back(service, container.pid), f"{service} is started again")

    def is_back(self, name, former):
        return any(
            each.name == name and each.is_running and each.pid not in (0, former)
            for each in self.stack.containers()
        )

    def pause(self, container, seconds=10):
        def action():
            run("docker", "pause", container.id)
            time.sleep(seconds)
            run("docker", "unpause", container.id)

        self.disturb(f"pause of {container.name} for {seconds} s", action)

    def remove_sockets(self):
        schedule = self.stack.container("schedule")
        self.remove_socket(schedule.name, schedule.path(f"{SOCKETS}/schedule.sock"))
        for tracker in self.stack.containers("tracker"):
            path = tracker.path(f"{SOCKETS}/trackers/{tracker.hostname}.sock")
            self.remove_socket(tracker.name, path)

    def remove_socket(self, name, path):
        def action():
            path.unlink()
            wait_until(path.exists, f"the socket of {name} is back", patience=10)

        self.disturb(f"socket of {name} removed", action)

    def run_out_of_memory(self):
        tracker = self.stack.containers("tracker")[0]

        def action():
            with ExitCodes() as ended:
                hog = subprocess.Popen(
                    [sys.executable, "-c", HOG, str(tracker.pid), memory_group(tracker.pid)]
                )
                hog.wait(60)
                wait_until(
                    lambda: self.is_back(tracker.name, tracker.pid),
                    f"{tracker.name} is started again",
                )
            assert tracker.name in ended.ooms, f"{tracker.name} did not run out of memory"

        self.disturb(f"{tracker.name} out of memory", action)

    def fill_data(self):
        """Fills the data volume: writing is refused and told of, reading goes on, and it recovers."""
        tracker = self.stack.containers("tracker")[0]
        filler = tracker.path(f"{DATA}/filler")
        since = f"{time.time():.0f}"
        # Only a race of the schedule may be recorded.
        self.stack.kart("schedule", "import", "-", input=FILLER)

        def action():
            fill(filler)
            refusal = self.record_until_refused()
            assert "disk is full" in refusal, refusal
            schedule = self.stack.kart(
                *("schedule", "import", "-"), check=False, input=many_races()
            )
            assert schedule.returncode == 1, schedule.stdout
            assert "RESOURCE_EXHAUSTED" in schedule.stderr and "disk is full" in schedule.stderr, (
                schedule.stderr
            )
            # A follower that comes now reads the race from its beginning.
            late = Followers(self.address, self.followers.all[0].race)
            late.finish()
            for service in ("tracker", "schedule"):
                assert "disk is full" in self.stack.logs(service, since), f"{service} says nothing"
            filler.unlink()

        self.disturb("data volume full, and space again", action)
        wait_until(
            lambda: "works again" in self.stack.logs("tracker", since), "a tracker says it recovered"
        )

    def record_until_refused(self):
        """Records batches until one is refused for want of space; the sentence that says so."""
        from swiftkart.telemetry.v1 import race_telemetry_service_pb2 as messages
        from swiftkart.telemetry.v1 import race_telemetry_service_pb2_grpc as services

        with grpc.insecure_channel(self.address) as channel:
            stub = services.RaceTelemetryServiceStub(channel)
            for number in range(1, 200):
                request = messages.RecordRequest(
                    race_name="Filler", producer_id="compose-test", number=number
                )
                # A race has 200 karts at most.
                for place in range(2000):
                    observation = request.observations.add()
                    observation.observed_at.seconds = 1_800_000_000 + number
                    observation.competitor.kart_number = place % 200
                    observation.competitor.name = os.urandom(40).hex()
                try:
                    stub.Record(iter([request]), timeout=20)
                except grpc.RpcError as error:
                    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED, error
                    return error.details()
        raise AssertionError("a full disk refuses nothing")

    def scale(self, counts):
        for count in counts:
            others = len(self.stack.containers()) - len(self.stack.containers("tracker"))
            self.disturb(
                f"trackers scaled to {count}",
                lambda: self.stack.compose(
                    *("up", "--detach", "--no-deps", "--no-recreate"),
                    *("--scale", f"tracker={count}", "tracker"),
                ),
                containers=others + count,
            )

    def roll(self, services=("schedule", "tracker", "gateway", "demo")):
        for service in services:
            former = {each.image for each in self.stack.containers(service)}
            self.disturb(
                f"{service} on a new image",
                lambda: self.stack.compose("up", "--detach", "--no-deps", service),
            )
            now = {each.image for each in self.stack.containers(service)}
            assert not former & now, f"{service} is still on its former image"

    def finish(self):
        events, calls = self.followers.finish()
        self.lister.is_done = True
        self.lister.join(60)
        assert not self.lister.failures, "\n".join(self.lister.failures[:20])
        return (
            f"{Followers.COUNT} followers compared {events} events over {calls} calls: none lost, none "
            f"repeated, none different; {self.lister.count} ListRaces, none failed"
        )


def many_races():
    """A schedule that does not fit beside what is there."""
    return json.dumps(
        {
            "races": [
                {
                    "name": f"Full House {number}",
                    "laps": 5,
                    "startTime": "2099-02-01T10:00:00Z",
                    "location": "x" * 200,
                }
                for number in range(1000)
            ]
        }
    )


def fill(path):
    """Writes a file that takes all the space there is."""
    block = bytes(1 << 20)
    with open(path, "wb", buffering=0) as file:
        while block:
            try:
                file.write(block)
            except OSError:
                block = block[: len(block) // 2]


def memory_group(process):
    """The file by which a process is moved into the memory control group of another."""
    for line in open(f"/proc/{process}/cgroup"):
        _, controllers, path = line.strip().split(":", 2)
        if "memory" in controllers.split(","):
            return f"/sys/fs/cgroup/memory{path}/cgroup.procs"
        if controllers == "" and not os.path.exists("/sys/fs/cgroup/memory"):
            return f"/sys/fs/cgroup{path}/cgroup.procs"
    raise AssertionError(f"process {process} is in no memory control group")
