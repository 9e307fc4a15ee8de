"""Asks a gateway for its health and for its services, as gRPC's own Python packages do.

    services_client.py ADDRESS

ADDRESS is host:port. Ends with status 1 and a sentence when an answer is not the right one.
"""

import sys

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

SERVING = health_pb2.HealthCheckResponse.SERVING


def check(condition, sentence):
    if not condition:
        sys.exit(f"not so: {sentence}")
    print(f"seen: {sentence}")


with grpc.insecure_channel(sys.argv[1]) as channel:
    health = health_pb2_grpc.HealthStub(channel)
    for name in ["", "SwiftKartService"]:
        answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=20)
        check(answer.status == SERVING, f"“{name}” is serving")
    try:
        health.Check(health_pb2.HealthCheckRequest(service="no.Such"), timeout=20)
        code = grpc.StatusCode.OK
    except grpc.RpcError as error:
        code = error.code()
    check(code == grpc.StatusCode.NOT_FOUND, f"the health of an unknown service is {code.name}")

    reflection = ProtoReflectionDescriptorDatabase(channel)
    services = set(reflection.get_services())
    for name in [
        "SwiftKartService",
        "swiftkart.schedule.v1.RaceScheduleService",
        "swiftkart.telemetry.v1.RaceTelemetryService",
        "grpc.health.v1.Health",
    ]:
        check(name in services, f"{name} is listed")
    pool = DescriptorPool(reflection)
    methods = pool.FindServiceByName("SwiftKartService").methods_by_name
    check(set(methods) == {"ListRaces", "FollowRace"}, "reflection describes the contract")
    check(methods["FollowRace"].client_streaming, "and knows what streams")
