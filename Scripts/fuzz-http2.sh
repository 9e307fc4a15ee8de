#!/bin/bash
# Fuzzes the bytes that a peer sends to the server's and to the client's connections with libFuzzer
# under the address sanitizer, both at once.
#
#   Scripts/fuzz-http2.sh [SIDE…]    server and client, unless one of them is named
#
# FUZZ_SECONDS says for how long, 600 by default. What has been found stays in .build/fuzz-http2 as an
# input to run the target on; interesting inputs are kept there between runs.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-600}
sides=("$@")
[ ${#sides[@]} -gt 0 ] || sides=(server client)
folder=.build/fuzz-http2
mkdir -p "$folder"

# Not over SwiftPM: its own tools would be fuzzers too.
flags=(-O -parse-as-library -sanitize=fuzzer,address -swift-version 6 -enable-testing
  -enable-upcoming-feature ExistentialAny -package-name swiftkart -I "$folder")
for library in CLinux CNghttp2 COpenSSL CZlib; do flags+=(-I "Sources/CLibraries/$library"); done

# Compiles a module, its sources in SwiftPM's order, if one of them is newer or one
# that it uses was compiled.
objects=()
compile() {
  local module=$1 object=$folder/$1.o
  objects+=("$object")
  if [ ! -e "$object" ] || [ -n "${changed:-}" ] \
    || [ -n "$(find "Sources/GRPC/$module" -name '*.swift' -newer "$object" -print -quit)" ]; then
    swiftc "${flags[@]}" -wmo -module-name "$module" -emit-module \
      -emit-module-path "$folder/$module.swiftmodule" -c -o "$object" \
      $(find "Sources/GRPC/$module" -name '*.swift' | LC_ALL=C sort)
    changed=yes
  fi
}
compile EventLoop
compile GRPCCore
compile GRPCHTTP2Transport
swiftc "${flags[@]}" -wmo -module-name Fuzzing -o "$folder/fuzz" Tests/Fuzzing/HTTP2/*.swift \
  "${objects[@]}" -lnghttp2 -lssl -lcrypto -lz

# Leaks are not looked for: Swift keeps tags in pointers. No input here may take 256 MiB at once.
export ASAN_OPTIONS=detect_leaks=0
pids=()
for side in "${sides[@]}"; do
  mkdir -p "$folder/$side"
  FUZZ_SIDE=$side "$folder/fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
    -malloc_limit_mb=256 -detect_leaks=0 -dict=Tests/Fuzzing/HTTP2/tokens.txt \
    -artifact_prefix="$folder/$side-" "$folder/$side" >"$folder/$side.log" 2>&1 &
  pids+=($!)
done
status=0
for index in "${!pids[@]}"; do
  side=${sides[$index]}
  if wait "${pids[$index]}"; then
    echo "fuzz: $side: $(grep -E '^Done' "$folder/$side.log" | tail -n 1)" >&2
  else
    tail -n 30 "$folder/$side.log" >&2
    echo "fuzz: $side failed; everything it says is in $folder/$side.log." >&2
    status=1
  fi
done
exit $status
