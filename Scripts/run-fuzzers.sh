#!/bin/bash
# Runs a libFuzzer target for several subjects at once:
#
#   Scripts/run-fuzzers.sh FOLDER VARIABLE TOKENS TIMEOUT SUBJECT…
#
# The target is FOLDER/fuzz, and VARIABLE tells it its subject. TOKENS is libFuzzer's dictionary, and
# TIMEOUT how many seconds one input may take. FUZZ_SECONDS says for how long all of it runs, 600 by
# default. What has been found stays in FOLDER as an input to run the target on; interesting inputs are
# kept there between runs.
set -euo pipefail
folder=$1 variable=$2 tokens=$3 timeout=$4
subjects=("${@:5}")

# Leaks are not looked for: Swift keeps tags in pointers. No input may take 256 MiB at once.
export ASAN_OPTIONS=detect_leaks=0
pids=()
for subject in "${subjects[@]}"; do
  mkdir -p "$folder/$subject"
  env "$variable=$subject" "$folder/fuzz" -max_total_time="${FUZZ_SECONDS:-600}" -max_len=4096 \
    -timeout="$timeout" -malloc_limit_mb=256 -detect_leaks=0 -dict="$tokens" \
    -artifact_prefix="$folder/$subject-" "$folder/$subject" >"$folder/$subject.log" 2>&1 &
  pids+=($!)
done
status=0
for index in "${!pids[@]}"; do
  subject=${subjects[$index]}
  if wait "${pids[$index]}"; then
    echo "fuzz: $subject: $(grep -E '^Done' "$folder/$subject.log" | tail -n 1)" >&2
  else
    tail -n 30 "$folder/$subject.log" >&2
    echo "fuzz: $subject failed; everything it says is in $folder/$subject.log." >&2
    status=1
  fi
done
exit $status
