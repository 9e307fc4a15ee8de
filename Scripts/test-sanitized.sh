#!/bin/bash
# Runs the tests under a sanitizer:
#
#   Scripts/test-sanitized.sh address|thread
#
# Its build lives beside the plain one, and so do the real processes that the integration and the chaos
# tests run: what it finds there ends them. All of it goes in parts, of which few tests run at once: a
# sanitizer makes it so slow that tests which wait would run out of time otherwise. Left out are the
# soak test and the two tests that hold memory and time to the product's bounds, which nothing keeps
# under a sanitizer.
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
    "TSAN_OPTIONS=halt_on_error=1:suppressions=$scripts/thread-sanitizer.supp")
  ;;
*)
  echo "test-sanitized: name a sanitizer: address or thread" >&2
  exit 2
  ;;
esac

build=(--sanitize "$sanitizer" --scratch-path "$scratch")
swift build --build-tests "${build[@]}"
runtime='^(EventLoop|GRPC)' transport='^GRPCHTTP2TransportTests\.' models='ModelTests/'
processes='^(Interop|Integration|Chaos|Soak)Tests\.' bounds='MeshChaosTests|stopsWithinTwoSeconds'
run_part() { # how many tests run at once, and which
  env "${settings[@]}" swift test --skip-build --disable-xctest "${build[@]}" \
    --experimental-maximum-parallelization-width "$@"
}
run_part 8 --filter "$transport" --skip "$models"
run_part 8 --filter "$models"
run_part 8 --filter "$runtime" --skip "$transport"
run_part 8 --skip "$runtime" --skip "$processes"
run_part 8 --filter '^InteropTests\.'
run_part 4 --filter '^IntegrationTests\.' --skip "$bounds"
run_part 1 --filter '^ChaosTests\.' --skip "$bounds"
echo "test-sanitized: the $sanitizer sanitizer found nothing"
