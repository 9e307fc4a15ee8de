"""Clients of a gateway that never give up: followers that resume, and one that lists races."""

import hashlib
import json
import queue
import sys
import threading
import time

import grpc

from stack import PACKAGE, run, wait_until

# A gateway that went is looked for again soon.
RECONNECTING = [
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    # A channel of its own for each client, not one connection that they share.
    ("grpc.use_local_subchannel_pool", 1),
]

# What a client does on its own when a call fails that may be made again.
RETRYING = json.dumps(
    {
        "methodConfig": [
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 5,
                    "initialBackoff": "0.2s",
                    "maxBackoff": "2s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE", "DEADLINE_EXCEEDED"],
                },
            }
        ]
    }
)


def make_stubs(folder):
    """Generates the contracts' Python, and returns the modules of the two services."""
    protos = PACKAGE / "Protos"
    run(
        *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={protos}"),
        *(f"--python_out={folder}", f"--grpc_python_out={folder}", "swift_kart_service.proto"),
        "swiftkart/telemetry/v1/race_telemetry_service.proto",
    )
    sys.path.insert(0, str(folder))


class Follower(threading.Thread):
    """Follows a race from an event on, and asks for the rest whenever its call ends."""

    def __init__(self, address, race, resume_after):
        super().__init__(daemon=True)
        import swift_kart_service_pb2 as messages
        import swift_kart_service_pb2_grpc as services

        self.messages = messages
        self.race = race
        self.last = resume_after
        self.events = {}
        self.problems = []
        self.calls = 0
        self.longest_gap = 0
        self.arrival = time.monotonic()
        self.call = None
        self.is_stopped = False
        self.channel = grpc.insecure_channel(address, options=RECONNECTING)
        self.stub = services.SwiftKartServiceStub(self.channel)

    def run(self):
        while not self.is_stopped:
            requests = queue.Queue()
            requests.put(
                self.messages.FollowRaceRequest(
                    race_name=self.race, event_types=[1, 2], resume_after=self.last
                )
            )
            self.calls += 1
            try:
                self.call = self.stub.FollowRace(iter(requests.get, None), wait_for_ready=True)
                for response in self.call:
                    self.add(response)
            except grpc.RpcError as error:
                if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                    self.problems.append(f"a call ended with {error.code().name}: {error.details()}")
            requests.put(None)
            time.sleep(0.05)
        self.channel.close()

    def add(self, response):
        if response.sequence != self.last + 1:
            self.problems.append(f"event {response.sequence} came after event {self.last}")
        text = response.SerializeToString(deterministic=True)
        self.events[response.sequence] = hashlib.sha256(text).digest()
        self.last = response.sequence
        now = time.monotonic()
        self.longest_gap = max(self.longest_gap, now - self.arrival)
        self.arrival = now

    def take_longest_gap(self):
        """The longest time without an event since this was last asked."""
        gap = max(self.longest_gap, time.monotonic() - self.arrival)
        self.longest_gap = 0
        return gap

    def stop(self):
        self.is_stopped = True
        self.call.cancel()
        self.join(10)


def newest_event(address, race):
    """The number of a race's newest event."""
    import swift_kart_service_pb2 as messages
    import swift_kart_service_pb2_grpc as services

    with grpc.insecure_channel(address) as channel:
        requests = queue.Queue()
        requests.put(messages.FollowRaceRequest(race_name=race, event_types=[1, 2]))
        call = services.SwiftKartServiceStub(channel).FollowRace(iter(requests.get, None), timeout=60)
        try:
            return max(next(call).sequence, next(call).sequence)
        finally:
            requests.put(None)
            call.cancel()


class Followers:
    """Twenty of them: half from the race's second event on, half from where it stands."""

    COUNT = 20

    def __init__(self, address, race):
        head = newest_event(address, race)
        self.address = address
        self.race = race
        self.all = [
            Follower(address, race, 1 if index % 2 else head) for index in range(self.COUNT)
        ]
        for follower in self.all:
            follower.start()

    def take_longest_gap(self):
        return max(follower.take_longest_gap() for follower in self.all)

    @property
    def slowest(self):
        return min(follower.last for follower in self.all)

    @property
    def newest(self):
        return max(follower.last for follower in self.all)

    def are_fed(self):
        """Whether each has an event that none had when this was first asked since `expect_more`."""
        return self.slowest > self.mark

    def expect_more(self):
        self.mark = self.newest

    def finish(self):
        """Ends them all, and holds them to what was promised: each event once, in order, the same for
        all, and the same as whoever comes later gets."""
        goal = self.newest
        late = Follower(self.address, self.race, 1)
        late.start()
        everyone = self.all + [late]
        wait_until(
            lambda: all(follower.last >= goal for follower in everyone),
            f"every follower gets to event {goal}",
        )
        for follower in everyone:
            follower.stop()
        known = {}
        problems = []
        for index, follower in enumerate(everyone):
            problems += [f"follower {index}: {problem}" for problem in follower.problems]
            for sequence, digest in follower.events.items():
                if known.setdefault(sequence, digest) != digest:
                    problems.append(f"follower {index} has another event {sequence}")
        assert not problems, "\n".join(problems[:20])
        return len(known), sum(follower.calls for follower in self.all)


class Lister(threading.Thread):
    """Lists the races again and again, with gRPC's own retries and nothing else."""

    def __init__(self, address):
        super().__init__(daemon=True)
        import swift_kart_service_pb2 as messages
        import swift_kart_service_pb2_grpc as services

        self.request = messages.ListRacesRequest()
        options = RECONNECTING + [("grpc.service_config", RETRYING)]
        self.stub = services.SwiftKartServiceStub(grpc.insecure_channel(address, options=options))
        self.count = 0
        self.failures = []
        self.longest = 0
        self.asked = None
        self.is_done = False

    def run(self):
        while not self.is_done:
            self.asked = time.monotonic()
            try:
                races = self.stub.ListRaces(self.request, timeout=30, wait_for_ready=True).races
                if not races:
                    self.failures.append("no race was listed")
            except grpc.RpcError as error:
                self.failures.append(f"{error.code().name}: {error.details()}")
            self.count += 1
            self.longest = max(self.longest, time.monotonic() - self.asked)
            time.sleep(0.05)

    def take_longest(self):
        """The longest that an answer took since this was last asked."""
        longest = max(self.longest, time.monotonic() - self.asked)
        self.longest = 0
        return longest
