"""Calls a gateway as a client made from the contract's first .proto file does.

    contract_client.py ADDRESS STUBS RACE UNBEGUN_RACE

ADDRESS is host:port; STUBS is the folder with the generated modules. RACE is under way, in a schedule
that holds it and at least one other race; UNBEGUN_RACE is scheduled, with nothing on its log.
Prints what was seen, a line each; the first thing that is not as the contract says ends it with
status 1.
"""

import queue
import sys
import threading
import time

import grpc

address, stubs, race_name, unbegun_race = sys.argv[1:]
sys.path.insert(0, stubs)

import swift_kart_service_pb2 as kart  # noqa: E402
import swift_kart_service_pb2_grpc as kart_grpc  # noqa: E402

LOCATIONS = kart.RACE_EVENT_TYPE_KART_LOCATIONS
STANDINGS = kart.RACE_EVENT_TYPE_STANDINGS

# What a call may take at most, in seconds, when nothing is said of it.
PATIENCE = 20


def check(condition, sentence):
    if not condition:
        print(f"not as the contract says: {sentence}", flush=True)
        sys.exit(1)
    print(f"seen: {sentence}", flush=True)


class Requests:
    """A request stream that is fed by hand. `end` ends it."""

    def __init__(self):
        self._queue = queue.Queue()

    def send(self, race="", types=()):
        self._queue.put(kart.FollowRaceRequest(race_name=race, event_types=types))

    def end(self):
        self._queue.put(None)

    def __iter__(self):
        return iter(self._queue.get, None)


def follow(stub, *first):
    requests = Requests()
    call = stub.FollowRace(iter(requests), timeout=PATIENCE)
    if first:
        requests.send(*first)
    return requests, call


def kinds(call, until):
    """Reads events, passing on their kinds, up to one for which `until` holds."""
    for response in call:
        kind = response.WhichOneof("event")
        yield kind, response
        if until(kind, response):
            return


def list_races(stub):
    races = stub.ListRaces(kart.ListRacesRequest(), timeout=PATIENCE).races
    names = [race.name for race in races]
    check(race_name in names, f"limit unset lists {race_name} among {len(names)} races")
    check(len(names) >= 2, "limit unset lists more than one race")
    order = [(race.start_time.ToNanoseconds(), race.name) for race in races]
    check(order == sorted(order), "races come by start time, then by name")
    race = races[names.index(race_name)]
    check(bool(race.location), "the race has its location")
    check(race.laps > 0, "the race has its laps")
    check(len(race.drivers) > 0, f"the race has its {len(race.drivers)} drivers")

    one = stub.ListRaces(kart.ListRacesRequest(limit=1), timeout=PATIENCE).races
    check([race.name for race in one] == names[:1], "limit 1 lists the first race alone")
    none = stub.ListRaces(kart.ListRacesRequest(limit=0), timeout=PATIENCE).races
    check(len(none) == 0, "limit 0 lists no race")
    try:
        stub.ListRaces(kart.ListRacesRequest(limit=-1), timeout=PATIENCE)
        code = grpc.StatusCode.OK
    except grpc.RpcError as error:
        code = error.code()
    check(code == grpc.StatusCode.INVALID_ARGUMENT, f"limit -1 is {code.name}")


def follow_race(stub):
    requests, call = follow(stub, race_name, [LOCATIONS])

    count = 0

    def enough(kind, response):
        nonlocal count
        count += 1
        return count == 10

    seen = list(kinds(call, enough))
    check({kind for kind, _ in seen} == {"locations"}, "locations alone come when asked for alone")
    karts = seen[-1][1].locations.karts
    check(len(karts) > 0, f"each has the {len(karts)} karts' places")
    check(all(kart.recorded_at.seconds > 0 for kart in karts), "a place has its time")

    asked = time.monotonic()
    requests.send(race_name, [LOCATIONS, STANDINGS])
    *_, (_, response) = kinds(call, lambda kind, _: kind == "standings")
    waited = time.monotonic() - asked
    check(waited < 1, f"standings come within a second of asking ({waited * 1000:.0f} ms)")
    entries = response.standings.entries
    check(
        [entry.position for entry in entries] == list(range(1, len(entries) + 1)),
        f"the {len(entries)} entries stand in their order",
    )
    numbers = {kart.number for kart in karts}
    check({entry.kart_number for entry in entries} == numbers, "the same karts are in both")

    # The race name may be left out of later messages. What was on its way may still come; that the
    # change has taken effect is seen by standings that cease while locations go on.
    requests.send(types=[LOCATIONS])
    silent = 0

    def quiet(kind, response):
        nonlocal silent
        silent = silent + 1 if kind == "locations" else 0
        return silent == 30

    *_, last = kinds(call, quiet)
    check(last[0] == "locations", "standings cease when they are no longer asked for")

    requests.end()
    for _ in call:
        pass
    check(call.code() == grpc.StatusCode.OK, "the end of the requests ends the call with OK")


def follow_without_messages(stub):
    requests, call = follow(stub)
    requests.end()
    responses = list(call)
    check(responses == [], "a call without requests gets no events")
    check(call.code() == grpc.StatusCode.OK, "a call without requests ends with OK")


def follow_unbegun_race(stub):
    requests, call = follow(stub, unbegun_race, [LOCATIONS, STANDINGS])
    first = []
    reader = threading.Thread(target=lambda: first.extend(call))
    reader.start()
    # Another call that goes through shows that the server has had its chance to speak.
    list_races_names = stub.ListRaces(kart.ListRacesRequest(), timeout=PATIENCE)
    check(len(list_races_names.races) > 0, "other calls go on beside a silent one")
    check(call.is_active(), "a race that has not begun keeps the stream open")
    requests.end()
    reader.join()
    check(first == [], "a race that has not begun keeps the stream silent")
    check(call.code() == grpc.StatusCode.OK, "and its call ends with OK")


def refusals(stub):
    unspecified = kart.RACE_EVENT_TYPE_UNSPECIFIED
    for sentence, messages, expected in [
        ("an empty race name", [("", [LOCATIONS])], grpc.StatusCode.INVALID_ARGUMENT),
        ("UNSPECIFIED alone", [(race_name, [unspecified])], grpc.StatusCode.INVALID_ARGUMENT),
        ("an unknown race", [("No Such Race", [LOCATIONS])], grpc.StatusCode.NOT_FOUND),
        (
            "another name in a later message",
            [(race_name, [LOCATIONS]), (unbegun_race, [LOCATIONS])],
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
    ]:
        requests, call = follow(stub)
        for message in messages:
            requests.send(*message)
        try:
            for _ in call:
                pass
        except grpc.RpcError:
            pass
        check(call.code() == expected, f"{sentence} is {call.code().name} ({call.details()})")
        requests.end()


def newer_client(stub):
    requests, call = follow(stub, race_name, [LOCATIONS, 77])
    response = next(iter(call))
    check(response.WhichOneof("event") == "locations", "an event type of a newer client is ignored")
    requests.end()
    for _ in call:
        pass
    check(call.code() == grpc.StatusCode.OK, "and its call ends with OK")


with grpc.insecure_channel(address) as channel:
    stub = kart_grpc.SwiftKartServiceStub(channel)
    list_races(stub)
    follow_race(stub)
    follow_without_messages(stub)
    follow_unbegun_race(stub)
    refusals(stub)
    newer_client(stub)
print("everything was as the contract says")
