#!/bin/bash
# Fuzzes the readers of the three formats with libFuzzer under the address sanitizer, all at once.
#
#   Scripts/fuzz.sh [FORMAT…]    binary, json and text, unless some of them are named
#
# FUZZ_SECONDS says for how long, 600 by default. What has been found stays in .build/fuzz as an input
# to run the target on; interesting inputs are kept there between runs.
set -euo pipefail
cd "$(dirname "$0")/.."

formats=("$@")
[ ${#formats[@]} -gt 0 ] || formats=(binary json text)
folder=.build/fuzz
protoc=${PROTOC_PATH:-.build/protoc/bin/protoc}
[ -x "$protoc" ] || protoc=$(command -v protoc)
mkdir -p "$folder/generated"

protos=Tests/conformance-testee/Protos
"$protoc" --plugin=protoc-gen-swift=.build/debug/protoc-gen-swift --proto_path="$protos" \
  --swift_out="Visibility=Internal,FileNaming=PathToUnderscores:$folder/generated" \
  conformance/messages/test_messages_{proto2,proto3,edition2023}.proto

# Not over SwiftPM: its own tools would be fuzzers too.
flags=(-O -parse-as-library -sanitize=fuzzer,address -swift-version 6
  -enable-upcoming-feature ExistentialAny -enable-experimental-feature Lifetimes)
runtime=$folder/SwiftProtobuf.o
if [ ! -e "$runtime" ] || [ -n "$(find Sources/Protobuf/SwiftProtobuf -name '*.swift' -newer "$runtime" -print -quit)" ]; then
  swiftc "${flags[@]}" -wmo -module-name SwiftProtobuf -emit-module \
    -emit-module-path "$folder/SwiftProtobuf.swiftmodule" -c -o "$runtime" \
    $(find Sources/Protobuf/SwiftProtobuf -name '*.swift')
fi
swiftc "${flags[@]}" -wmo -module-name Fuzzing -I "$folder" -o "$folder/fuzz" \
  Tests/Fuzzing/Messages/*.swift "$folder"/generated/*.swift "$runtime"

Scripts/run-fuzzers.sh "$folder" FUZZ_FORMAT Tests/Fuzzing/Messages/tokens.txt 10 "${formats[@]}"
