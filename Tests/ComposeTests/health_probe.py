"""Asks for a server's health, as a platform's probe does.

    health_probe.py HOST:PORT [CERTIFICATE]

With the file of a certificate it speaks TLS, and trusts that one. Ends with status 0 when the server is
serving.
"""

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

address, *certificate = sys.argv[1:]
if certificate:
    with open(certificate[0], "rb") as file:
        credentials = grpc.ssl_channel_credentials(file.read())
    channel = grpc.secure_channel(address, credentials)
else:
    channel = grpc.insecure_channel(address)
with channel:
    try:
        answer = health_pb2_grpc.HealthStub(channel).Check(
            health_pb2.HealthCheckRequest(), timeout=2
        )
    except grpc.RpcError as error:
        sys.exit(str(error.code()))
sys.exit(answer.status != health_pb2.HealthCheckResponse.SERVING)
