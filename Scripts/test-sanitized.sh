#!/bin/bash
# Runs the tests under a sanitizer:
#
#   Scripts/test-sanitized.sh address|thread
#
# Its build lives beside the plain one. The real processes of the integration, chaos and soak tests are
# left out: those run the binaries of the plain build. The rest goes in parts, of which few tests run
# at once: a sanitizer makes all of it so slow that tests which wait would run out of time otherwise.
#
# Leaks are not looked for: Swift keeps tags in pointers, such as a string's, and what only such a
# pointer holds would count as leaked.
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
cd "$scripts/.."

sanitizer=${1:-}
scratch=.build/$sanitizer-sanitizer
case $sanitizer in
address) settings=("ASAN_OPTIONS=detect_leaks=0:suppressions=$scripts/address-sanitizer.supp") ;;
thread)
  mkdir -p "$scratch"
  clang -shared -fPIC -O2 -o "$scratch/runtime.so" "$scripts/thread-sanitizer.c"
  settings=("LD_PRELOAD=$PWD/$scratch/runtime.so"
    "TSAN_OPTIONS=suppressions=$scripts/thread-sanitizer.supp")
  ;;
*)
  echo "test-sanitized: name a sanitizer: address or thread" >&2
  exit 2
  ;;
esac

build=(--sanitize "$sanitizer" --scratch-path "$scratch")
swift build --build-tests "${build[@]}"
runtime='^(EventLoop|GRPC)' transport='^GRPCHTTP2TransportTests\.' models='ModelTests/'
processes='^(Interop|Integration|Chaos|Soak)Tests\.'
for part in "--filter $transport --skip $models" "--filter $models" \
  "--filter $runtime --skip $transport" "--filter ^InteropTests\." "--skip $runtime --skip $processes"; do
  # shellcheck disable=SC2086
  env "${settings[@]}" swift test --skip-build --disable-xctest "${build[@]}" \
    --experimental-maximum-parallelization-width 8 $part
done
echo "test-sanitized: the $sanitizer sanitizer found nothing"
