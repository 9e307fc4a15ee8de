"""Sends and reads gRPC's richer errors with gRPC's own packages.

    rich_errors.py serve ADDRESS    fails each call, after a line that says where it listens
    rich_errors.py call TARGET      ends with status 1 unless a call fails in the same way

An address or target is unix:/path.
"""

import sys
from concurrent import futures

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2 as details
from google.rpc import status_pb2
from grpc_status import rpc_status

PATH = "/test.Rich/Fail"
MESSAGES = [
    details.ErrorInfo(
        reason="RACE_OVER", domain="kart.example", metadata={"race": "Finite Loops"}),
    details.RetryInfo(retry_delay=duration_pb2.Duration(seconds=1, nanos=500_000_000)),
    details.DebugInfo(stack_entries=["a", "b"], detail="d"),
    details.QuotaFailure(violations=[
        details.QuotaFailure.Violation(subject="clientip:192.0.2.1", description="Too many.")]),
    details.PreconditionFailure(violations=[
        details.PreconditionFailure.Violation(
            type="FLAG", subject="race", description="It is red.")]),
    details.BadRequest(field_violations=[
        details.BadRequest.FieldViolation(field="laps", description="Negative.")]),
    details.RequestInfo(request_id="7", serving_data="s"),
    details.ResourceInfo(
        resource_type="race", resource_name="x", owner="o", description="Gone."),
    details.Help(links=[details.Help.Link(description="Read.", url="https://kart.example")]),
    details.LocalizedMessage(locale="en", message="Hi."),
]


def pack(message):
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


STATUS = status_pb2.Status(
    code=grpc.StatusCode.FAILED_PRECONDITION.value[0], message="The race is over: ☺.",
    details=[pack(message) for message in MESSAGES])


class Handler(grpc.GenericRpcHandler):
    def service(self, call):
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: context.abort_with_status(rpc_status.to_status(STATUS)))


def serve(address):
    server = grpc.server(futures.ThreadPoolExecutor())
    server.add_generic_rpc_handlers((Handler(),))
    server.add_insecure_port(address)
    server.start()
    print("listening on", address, flush=True)
    server.wait_for_termination()


def call(target):
    with grpc.insecure_channel(target) as channel:
        try:
            channel.unary_unary(PATH)(b"", timeout=20)
            sys.exit("not so: the call fails")
        except grpc.RpcError as error:
            status = rpc_status.from_call(error)
            if status != STATUS:
                sys.exit(f"not so: the status is {STATUS} and not {status}")


{"serve": serve, "call": call}[sys.argv[1]](sys.argv[2])
