"""The process under test, spoken to as the conformance suite's runner does."""

import struct
import subprocess


class Testee:
    """A running testee. `conformance` is the module generated from conformance.proto."""

    def __init__(self, path, conformance):
        self.conformance = conformance
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def convert(self, message_type, given, wanted):
        """Has the testee read a payload, which is a pair of format and content, and write it.

        Returns the field of the response that is set, and its value.
        """
        request = self.conformance.ConformanceRequest(message_type=message_type)
        format, content = given
        setattr(request, f"{format}_payload", content)
        request.requested_output_format = {
            "protobuf": self.conformance.PROTOBUF,
            "json": self.conformance.JSON,
            "text": self.conformance.TEXT_FORMAT,
        }[wanted]
        frame = request.SerializeToString()
        self.process.stdin.write(struct.pack("<I", len(frame)) + frame)
        self.process.stdin.flush()
        head = self.process.stdout.read(4)
        if len(head) < 4:
            raise Crash(f"the testee ended with status {self.process.wait()} after {request}")
        (length,) = struct.unpack("<I", head)
        response = self.conformance.ConformanceResponse.FromString(self.process.stdout.read(length))
        field = response.WhichOneof("result")
        return field, getattr(response, field)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Crash(Exception):
    """The testee is no more."""
