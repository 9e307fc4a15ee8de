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

Scripts/run-fuzzers.sh "$folder" FUZZ_SIDE Tests/Fuzzing/HTTP2/tokens.txt 20 "${sides[@]}"
