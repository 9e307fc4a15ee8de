"""Python's side of `protobuf-speed`, on upb: benchmark.py FOLDER SECONDS measures the messages in
FOLDER and prints CASE, OPERATION, NANOSECONDS, BYTES and ALLOCATIONS (which it does not count)."""

import sys
import time
from pathlib import Path

import protobuf_benchmark_pb2 as messages
from google.protobuf import json_format


def run(name, operation, size, seconds, body):
    body()
    iterations = 1
    while True:
        start = time.process_time()
        for _ in range(iterations):
            body()
        elapsed = time.process_time() - start
        if elapsed >= seconds:
            print(name, operation, elapsed / iterations * 1e9, size, 0, sep="\t")
            return
        iterations *= 4 if elapsed * 4 < seconds else 2


def measure(folder, name, kind, seconds):
    binary = (folder / f"{name}.bin").read_bytes()
    message = kind.FromString(binary)
    text = json_format.MessageToJson(message, indent=None)
    size = len(text.encode())
    run(name, "encode", len(binary), seconds, message.SerializeToString)
    run(name, "decode", len(binary), seconds, lambda: kind.FromString(binary))
    run(name, "json-encode", size, seconds, lambda: json_format.MessageToJson(message, indent=None))
    run(name, "json-decode", size, seconds, lambda: json_format.Parse(text, kind()))


folder, seconds = Path(sys.argv[1]), float(sys.argv[2])
measure(folder, "locations", messages.KartLocations, seconds)
measure(folder, "races", messages.ListRacesResponse, seconds)
measure(folder, "tree", messages.Tree, seconds)
measure(folder, "blob", messages.Blob, seconds)
