#!/bin/bash
# Checks the systemd units under Deploy: that systemd reads them without complaint, and that it counts the
# exposure of each service below 2.0 (of 10; 20 of its threshold's 100).
set -euo pipefail
cd "$(dirname "$0")/.."

command -v systemd-analyze >/dev/null || {
  echo "check-units: there is no systemd-analyze here, so the units are not checked" >&2
  exit
}
# The units name programs that are installed where they run.
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/etc/systemd/system" "$root/usr/bin" "$root/usr/lib/systemd/system"
cp Deploy/systemd/*.service Deploy/systemd/*.socket "$root/etc/systemd/system/"
cp /lib/systemd/system/*.target "$root/usr/lib/systemd/system/"
for program in schedule-service tracker-service gateway; do
  install --mode 755 /dev/null "$root/usr/bin/$program"
done
complaints=$(systemd-analyze verify --man=no --root="$root" \
  swiftkart-{schedule,gateway}.{service,socket} swiftkart-tracker@1.{service,socket} 2>&1) || true
[ -z "$complaints" ] || {
  echo "$complaints"
  exit 1
}
for unit in Deploy/systemd/*.service; do
  exposure=$(systemd-analyze security --no-pager --offline=true --threshold=20 "$unit") || {
    echo "$exposure"
    echo "check-units: $unit is exposed more than 2.0" >&2
    exit 1
  }
done
