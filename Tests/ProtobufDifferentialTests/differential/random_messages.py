"""Random messages of any type, with the values that implementations stumble over."""

import struct

from google.protobuf import descriptor, duration_pb2, field_mask_pb2, timestamp_pb2, wrappers_pb2

Field = descriptor.FieldDescriptor

TEXTS = ["", "a", "\"'\\", "\n\r\t\x00\x1f\x7f", "é", "日本", "😀\u2028", "/?<>[]{}#:;,", "a" * 130]
DOUBLES = [
    0.0, -0.0, 1.0, -1.5, 0.1, 1e100, 5e-324, 1.7976931348623157e308, 2.0**53, 2.0**53 + 2,
    1e21, 1e-7, 123456789.123, float("inf"), float("-inf"), float("nan"),
]
# Without the largest: Python refuses the shortest decimal of it in JSON, which is above it.
FLOATS = [
    0.0, -0.0, 1.0, -1.5, 0.1, 16777216.0, 1e-45, 1.1754943508222875e-38, 1e10, float("inf"), float("-inf"), float("nan"),
]
# What an Any holds: types without maps, whose entries come in any order in the Any's bytes.
PACKED = [
    duration_pb2.Duration, timestamp_pb2.Timestamp, field_mask_pb2.FieldMask,
    wrappers_pb2.Int64Value, wrappers_pb2.DoubleValue, wrappers_pb2.BytesValue,
]


class RandomMessages:
    """Builds messages from a `random.Random`; `budget` limits how many values are set."""

    def __init__(self, random, budget, extensions):
        self.random = random
        self.budget = budget
        # The extensions of each message type, by its full name.
        self.extensions = extensions

    def fill(self, message, depth=0):
        special = getattr(self, message.DESCRIPTOR.name, None)
        if message.DESCRIPTOR.file.package == "google.protobuf" and special:
            return special(message)
        fields = list(message.DESCRIPTOR.fields)
        fields += self.extensions.get(message.DESCRIPTOR.full_name, [])
        for field in fields:
            if field.is_required:
                self.set(message, field, depth)
        for _ in range(self.random.randint(0, 2 + 6 // (depth + 1))):
            if self.budget <= 0 or not fields:
                return
            self.set(message, self.random.choice(fields), depth)

    def set(self, message, field, depth):
        if field.message_type and depth > 6 and not field.is_required:
            return
        self.budget -= 1
        if field.is_extension:
            value = message.Extensions[field]
        else:
            value = getattr(message, field.name)
        if field.is_repeated and field.message_type and field.message_type.GetOptions().map_entry:
            self.fill_map(value, field, depth)
        elif field.is_repeated:
            for _ in range(self.random.randint(1, 4)):
                if field.message_type:
                    self.fill(value.add(), depth + 1)
                else:
                    value.append(self.scalar(field))
        elif field.message_type:
            value.SetInParent()
            self.fill(value, depth + 1)
        elif field.is_extension:
            message.Extensions[field] = self.scalar(field)
        else:
            setattr(message, field.name, self.scalar(field))

    def fill_map(self, entries, field, depth):
        key, value = field.message_type.fields
        for _ in range(self.random.randint(1, 3)):
            if value.message_type:
                self.fill(entries[self.scalar(key)], depth + 1)
            else:
                entries[self.scalar(key)] = self.scalar(value)

    def integer(self, bits, is_signed):
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
        value = self.random.getrandbits(self.random.randint(0, bits))
        if is_signed and self.random.random() < 0.5:
            value = -value
        return self.random.choice([low, high, 0, 1, max(low, min(high, value))])

    def scalar(self, field):
        kind = field.type
        if kind in (Field.TYPE_INT32, Field.TYPE_SINT32, Field.TYPE_SFIXED32):
            return self.integer(32, True)
        if kind in (Field.TYPE_INT64, Field.TYPE_SINT64, Field.TYPE_SFIXED64):
            return self.integer(64, True)
        if kind in (Field.TYPE_UINT32, Field.TYPE_FIXED32):
            return self.integer(32, False)
        if kind in (Field.TYPE_UINT64, Field.TYPE_FIXED64):
            return self.integer(64, False)
        if kind == Field.TYPE_BOOL:
            return self.random.random() < 0.5
        if kind == Field.TYPE_DOUBLE:
            return self.floating_point(DOUBLES, "<d", 8)
        if kind == Field.TYPE_FLOAT:
            return self.floating_point(FLOATS, "<f", 4)
        if kind == Field.TYPE_STRING:
            return self.text()
        if kind == Field.TYPE_BYTES:
            return self.random.randbytes(self.random.choice([0, 1, 2, 3, 4, 20, 200]))
        is_null = field.enum_type.name == "NullValue"
        if field.enum_type.is_closed or is_null or self.random.random() < 0.8:
            return self.random.choice(field.enum_type.values).number
        return self.integer(32, True)

    def floating_point(self, edges, format, size):
        if self.random.random() < 0.5:
            return self.random.choice(edges)
        (value,) = struct.unpack(format, self.random.randbytes(size))
        # Which bits a NaN has is nobody's business.
        return float("nan") if value != value else value

    def text(self):
        return "".join(self.random.choice(TEXTS) for _ in range(self.random.randint(0, 3)))

    # The well-known types with rules of their own.

    def Timestamp(self, message):
        message.seconds = self.random.choice(
            [0, -1, 1_781_042_400, -62135596800, 253402300799,
             self.random.randint(-62135596800, 253402300799)])
        message.nanos = self.random.choice([0, 1, 1000, 20_000_000, 999_999_999])

    def Duration(self, message):
        sign = self.random.choice([-1, 1])
        message.seconds = sign * self.random.choice([0, 1, 315576000000, 86400])
        message.nanos = sign * self.random.choice([0, 1, 500_000_000, 999_999_999])

    def FieldMask(self, message):
        paths = ["a", "start_time", "race.laps", "a1.b_c.d"]
        message.paths.extend(self.random.sample(paths, self.random.randint(0, 3)))

    def Value(self, message, depth=0):
        kind = self.random.randint(0, 5 if depth < 3 else 3)
        if kind == 0:
            message.null_value = 0
        elif kind == 1:
            message.number_value = self.random.choice([0.0, -1.5, 1e100, 5e-324, 42.0])
        elif kind == 2:
            message.string_value = self.text()
        elif kind == 3:
            message.bool_value = self.random.random() < 0.5
        elif kind == 4:
            message.struct_value.SetInParent()
            self.Struct(message.struct_value, depth + 1)
        else:
            message.list_value.SetInParent()
            self.ListValue(message.list_value, depth + 1)

    def Struct(self, message, depth=0):
        for _ in range(self.random.randint(0, 3)):
            self.Value(message.fields[self.text()], depth)

    def ListValue(self, message, depth=0):
        for _ in range(self.random.randint(0, 3)):
            self.Value(message.values.add(), depth)

    def Any(self, message):
        if self.random.random() < 0.2:
            return
        packed = self.random.choice(PACKED)()
        self.fill(packed, 4)
        message.Pack(packed, deterministic=True)
