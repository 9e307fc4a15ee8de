#!/bin/bash
# Compares our protobuf with PyPI's on random messages: Scripts/differential.sh [MESSAGES [SEED]].
# TESTEE names the testee if it is not the debug build's.
set -euo pipefail
cd "$(dirname "$0")/.."

protoc=${PROTOC_PATH:-.build/protoc/bin/protoc}
[ -x "$protoc" ] || protoc=$(command -v protoc)
exec .build/python/bin/python Tests/ProtobufDifferentialTests/differential/differential.py \
  --testee "${TESTEE:-.build/debug/conformance-testee}" --protoc "$protoc" \
  --protos Tests/conformance-testee/Protos --protos Tests/ProtobufTestMessages/Protos \
  --messages "${1:-100000}" --seed "${2:-1}"
