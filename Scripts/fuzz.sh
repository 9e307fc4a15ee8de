#!/bin/bash
# Fuzzes the readers of the three formats with libFuzzer under the address sanitizer, all at once.
#
#   Scripts/fuzz.sh [FORMAT…]    binary, json and text, unless some of them are named
#
# FUZZ_SECONDS says for how long, 600 by default. What has been found stays in .build/fuzz as an input
# to run the target on; interesting inputs are kept there between runs.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-600}
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

# Leaks are not looked for: Swift keeps tags in pointers. No message here may take 256 MiB at once.
export ASAN_OPTIONS=detect_leaks=0
pids=()
for format in "${formats[@]}"; do
  mkdir -p "$folder/$format"
  FUZZ_FORMAT=$format "$folder/fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -malloc_limit_mb=256 -detect_leaks=0 -dict=Tests/Fuzzing/Messages/tokens.txt \
    -artifact_prefix="$folder/$format-" "$folder/$format" >"$folder/$format.log" 2>&1 &
  pids+=($!)
done
status=0
for index in "${!pids[@]}"; do
  format=${formats[$index]}
  if wait "${pids[$index]}"; then
    echo "fuzz: $format: $(grep -E '^Done' "$folder/$format.log" | tail -n 1)" >&2
  else
    tail -n 30 "$folder/$format.log" >&2
    echo "fuzz: $format failed; everything it says is in $folder/$format.log." >&2
    status=1
  fi
done
exit $status
