#!/usr/bin/env python3
"""Compares this package's protobuf with PyPI's, message by message.

Random messages go through the testee in the binary format, in ProtoJSON and in the text format, in
both directions, and must come back equal. Mutated bytes must be accepted by both or refused by both,
with equal results; of mutated JSON and text, what both accept must be equal. The same seed gives the
same messages.
"""

import argparse
import importlib
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pool, json_format, message_factory, text_format
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from random_messages import RandomMessages
from testee import Testee

POOL = descriptor_pool.Default()
TYPES = [
    "protobuf_test_messages.proto2.TestAllTypesProto2",
    "protobuf_test_messages.proto3.TestAllTypesProto3",
    "protobuf_test_messages.editions.TestAllTypesEdition2023",
    "protobuf_test_messages.editions.proto3.TestAllTypesProto3",
] + [
    f"swiftkart.test.{name}"
    for name in [
        "EveryType", "EveryOptional", "EveryRepeated", "EveryMap", "EveryOneof", "EveryWellKnown",
        "Legacy", "Modern", "Node", "Holder", "Extended", "SetHolder", "Defaults", "RequiredHolder",
        "Choices", "Maps", "Features",
    ]
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--testee", required=True)
    parser.add_argument("--protoc", required=True)
    parser.add_argument("--messages", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--protos", action="append", required=True, help="a folder of .proto files; repeatable")
    parser.add_argument("types", nargs="*", help="full names of messages, instead of all")
    return parser.parse_args()


def generate(options, folder):
    """Generates and imports Python's side of the .proto files."""
    command = [options.protoc, f"--python_out={folder}"]
    modules = []
    for root in map(Path, options.protos):
        command.append(f"--proto_path={root}")
        for proto in sorted(root.rglob("*.proto")):
            name = proto.relative_to(root)
            command.append(str(name))
            modules.append(".".join(name.with_suffix("").parts).replace("-", "_") + "_pb2")
    subprocess.run(command, check=True)
    sys.path.insert(0, folder)
    return {name: importlib.import_module(name) for name in modules}


def canonical(message):
    return message.SerializeToString(deterministic=True)


def printed(message):
    """The message as text: unlike its bytes, that does not show how an unknown varint was padded."""
    return text_format.MessageToString(message, print_unknown_fields=True)


def messages_in(message):
    """The message, and every message in it."""
    yield message
    for field, value in message.ListFields():
        if not field.message_type:
            continue
        if field.message_type.GetOptions().map_entry:
            children = value.values() if field.message_type.fields[1].message_type else []
        else:
            children = value if field.is_repeated else [value]
        for child in children:
            yield from messages_in(child)


def unknown_numbers(message):
    """The numbers of the unknown fields in a message, and what the known ones have."""
    for part in messages_in(message):
        for unknown in UnknownFieldSet(part):
            yield unknown.field_number, part.DESCRIPTOR.fields_by_number


def has_unknown_map_entry(message):
    """Whether a message has an entry of a map among its unknown fields: upb puts one there that has an
    unknown field itself, which C++ drops, as the testee does."""
    return any(
        number in fields and fields[number].message_type
        and fields[number].message_type.GetOptions().map_entry
        for number, fields in unknown_numbers(message))


def has_field_zero(message):
    """Whether a message has a field of number 0, which upb takes where a message declares no fields.
    The specification has no such number, and C++ refuses it."""
    return any(number == 0 for number, _ in unknown_numbers(message))


class Comparison:
    """What must hold for one message, or for one mutation."""

    def __init__(self, testee, kind, message):
        self.testee = testee
        self.kind = kind
        self.name = kind.DESCRIPTOR.full_name
        self.message = message
        self.binary = message.SerializeToString()

    def expect(self, condition, what, *details):
        if not condition:
            details = "\n".join(map(repr, details))
            raise AssertionError(f"{self.name}: {what}\n{details}\n{self.message}")

    def expect_equal(self, other, what, *details):
        self.expect(canonical(other) == canonical(self.message), what, *details, other)

    def converted(self, given, wanted):
        field, value = self.testee.convert(self.name, given, wanted)
        self.expect(field == f"{wanted}_payload", f"{given[0]} to {wanted} failed", value, given)
        return value

    def goes_round_in_binary(self):
        value = self.converted(("protobuf", self.binary), "protobuf")
        self.expect_equal(self.kind.FromString(value), "binary differs", value)

    def goes_round_in_json(self):
        text = self.converted(("protobuf", self.binary), "json")
        try:
            read = json_format.Parse(text, self.kind())
        except json_format.ParseError as error:
            self.expect(False, "our JSON is refused", error, text)
        self.expect_equal(read, "our JSON differs", text)
        text = json_format.MessageToJson(self.message, indent=None)
        value = self.converted(("json", text), "protobuf")
        self.expect_equal(self.kind.FromString(value), "their JSON is read differently", text)

    def goes_round_in_text(self, as_one_line, as_utf8):
        text = self.converted(("protobuf", self.binary), "text")
        try:
            read = text_format.Parse(text, self.kind())
        except text_format.ParseError as error:
            self.expect(False, "our text is refused", error, text)
        self.expect_equal(read, "our text differs", text)
        text = text_format.MessageToString(
            self.message, as_one_line=as_one_line, as_utf8=as_utf8, descriptor_pool=POOL,
            use_short_repeated_primitives=as_one_line)
        value = self.converted(("text", text), "protobuf")
        self.expect_equal(self.kind.FromString(value), "their text is read differently", text)

    def agrees_on_bytes(self, mutated):
        field, value = self.testee.convert(self.name, ("protobuf", mutated), "protobuf")
        try:
            theirs = self.kind.FromString(mutated)
            is_accepted = theirs.IsInitialized()
        except DecodeError:
            theirs = None
            is_accepted = False
        # Swift's strings are Unicode: where a field may hold other bytes, they are replaced.
        is_ours_accepted = field == "protobuf_payload"
        if is_ours_accepted and "\ufffd".encode() in value:
            return
        if theirs and has_unknown_map_entry(theirs):
            return
        if theirs and has_field_zero(theirs):
            is_accepted = False
        self.expect(
            is_accepted == is_ours_accepted,
            f"{'accepted' if is_accepted else 'refused'} by them only", mutated.hex(), value)
        if is_accepted:
            ours = self.kind.FromString(value)
            self.expect(
                canonical(ours) == canonical(theirs) or printed(ours) == printed(theirs),
                "mutated bytes differ", mutated.hex())

    def agrees_on_text(self, format, mutated, parse):
        field, value = self.testee.convert(self.name, (format, mutated), "protobuf")
        try:
            theirs = parse(mutated, self.kind())
        except Exception:  # Some errors of theirs are of no particular type.
            return
        # Python takes -0 for an integer, which has no sign.
        if field == "protobuf_payload" and not re.search(r"-0(?![.\d])", mutated):
            ours = self.kind.FromString(value)
            self.expect(canonical(ours) == canonical(theirs), f"mutated {format} differs", mutated)


def mutated(random, content, alphabet):
    """The same with a few elements changed, added, removed, doubled, or cut off."""
    content = list(content)
    for _ in range(random.randint(1, 3)):
        index = random.randrange(len(content) + 1)
        kind = random.randrange(5)
        if kind == 0 and index < len(content):
            content[index] = random.choice(alphabet)
        elif kind == 1:
            content.insert(index, random.choice(alphabet))
        elif kind == 2:
            del content[index:index + random.randint(1, 4)]
        elif kind == 3:
            end = index + random.randint(1, 12)
            content[index:index] = content[index:end]
        else:
            del content[index:]
    return content


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        modules = generate(options, folder)
    testee = Testee(options.testee, modules["conformance.conformance_pb2"])
    kinds = [
        message_factory.GetMessageClass(POOL.FindMessageTypeByName(name)) for name in options.types or TYPES]
    extensions = {
        kind.DESCRIPTOR.full_name: POOL.FindAllExtensions(kind.DESCRIPTOR) for kind in kinds}
    count = 0

    @seed(options.seed)
    @settings(
        max_examples=options.messages, database=None, deadline=None, print_blob=False,
        phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck))
    @given(
        kind=st.sampled_from(kinds), entropy=st.integers(0, (1 << 63) - 1),
        budget=st.integers(1, 40))
    def compare(kind, entropy, budget):
        nonlocal count
        count += 1
        source = random.Random(entropy)
        message = kind()
        RandomMessages(source, budget, extensions).fill(message)
        comparison = Comparison(testee, kind, message)
        comparison.goes_round_in_binary()
        comparison.goes_round_in_json()
        comparison.goes_round_in_text(source.random() < 0.5, source.random() < 0.5)
        for _ in range(3):
            comparison.agrees_on_bytes(bytes(mutated(source, comparison.binary, range(256))))
        characters = "{}[]<>:,;\"'\\#0123456789.-+eEfxnt é\n"
        json = json_format.MessageToJson(message, indent=None)
        comparison.agrees_on_text("json", "".join(mutated(source, json, characters)), json_format.Parse)
        text = text_format.MessageToString(message)
        comparison.agrees_on_text("text", "".join(mutated(source, text, characters)), text_format.Parse)

    compare()
    testee.close()
    print(f"{count} messages of {len(kinds)} types were equal in every format")


if __name__ == "__main__":
    main()
