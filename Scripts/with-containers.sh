#!/bin/bash
# Runs a command where there is a container engine:
#
#   Scripts/with-containers.sh docker compose up --build --wait
#
# An engine that answers already is used. Where none does, one is started for as long as the command
# runs: in namespaces of its own, so that the machine's network and processes stay as they are and
# nothing of it outlives the command. The ports that it publishes are the command's alone. It has no
# network beyond, so Scripts/base-images.sh makes its base images.
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
state=${CONTAINER_ENGINE_STATE:-$(dirname "$scripts")/.build/container-engine}

say() { echo "with-containers: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

engine_answers() {
  docker version >/dev/null 2>&1 && docker compose version >/dev/null 2>&1 \
    && docker buildx version >/dev/null 2>&1
}

# The process behind the engine's socket, or nothing where it is not on this machine.
engine_process() {
  python3 - "${DOCKER_HOST:-unix:///var/run/docker.sock}" 2>/dev/null <<'EOF' || true
import socket, struct, sys

with socket.socket(socket.AF_UNIX) as engine:
    engine.connect(sys.argv[1].removeprefix("unix://"))
    print(struct.unpack("3i", engine.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0])
EOF
}

# Runs the command where the engine publishes its ports, should that be a network of its own.
run_beside_engine() {
  local engine
  engine=$(engine_process)
  if [ -n "$engine" ] && [ "$(id -u)" -eq 0 ] \
    && [ "$(readlink "/proc/$engine/ns/net")" != "$(readlink /proc/self/ns/net)" ]; then
    exec nsenter --net="/proc/$engine/ns/net" "$@"
  fi
  exec "$@"
}

# Debian 12 has the engine but neither compose nor buildx as plugins. Those of Debian 13 run on 12, and
# are unpacked aside: nothing of Debian 13 is installed.
fetch_plugins() {
  local plugins=$state/config/cli-plugins work=$state/plugins mirror
  [ -x "$plugins/docker-compose" ] && [ -x "$plugins/docker-buildx" ] && return
  say "compose and buildx are missing: fetching Debian 13's docker-compose and docker-buildx"
  mirror=$("$scripts/base-images.sh" --mirror)
  rm -rf "$work"
  mkdir -p "$plugins" "$work/lists/partial" "$work/cache/archives/partial" "$work/tree"
  : >"$work/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" \
    >"$work/sources.list"
  local apt=(apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$work/lists" -o Dir::State::Status="$work/status" -o Dir::Cache="$work/cache"
    -o APT::Sandbox::User=root)
  "${apt[@]}" update >&2
  (cd "$work" && "${apt[@]}" download docker-compose docker-buildx >&2)
  local package
  for package in "$work"/*.deb; do dpkg-deb --extract "$package" "$work/tree"; done
  cp "$work"/tree/usr/libexec/docker/cli-plugins/* "$plugins/"
  rm -rf "$work"
}

install_engine() {
  local packages=() program
  for program in dockerd:docker.io iptables:iptables ip:iproute2 mmdebstrap:mmdebstrap; do
    command -v "${program%:*}" >/dev/null || packages+=("${program#*:}")
  done
  [ ${#packages[@]} -eq 0 ] && return
  say "there is no container engine here: installing ${packages[*]}"
  apt-get -qq update >&2
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 install \
    --yes --no-install-recommends "${packages[@]}" >/dev/null
}

# Inside the namespaces, as their first process: everything here ends with it.
run_inside() {
  ip link set lo up
  # Tells the command that nobody else's images are in it.
  export CONTAINER_ENGINE=own
  export DOCKER_CONFIG=$state/config DOCKER_HOST=unix://$runtime/docker.sock
  dockerd --data-root "$state/data" --exec-root "$runtime/exec" --pidfile "$runtime/docker.pid" \
    --host "$DOCKER_HOST" >"$state/log" 2>&1 &
  local engine=$! try
  for ((try = 0; try < 300; try++)); do
    docker version >/dev/null 2>&1 && break
    kill -0 $engine 2>/dev/null || break
    sleep 0.1
  done
  docker version >/dev/null 2>&1 || fail "the engine does not answer; see $state/log."
  local status=0
  "$scripts/base-images.sh" && "$@" || status=$?
  kill $engine
  wait $engine || true
  return $status
}

[ $# -gt 0 ] || fail "name the command to run."
if [ "${1:-}" = --inside ]; then
  runtime=$2
  shift 2
  run_inside "$@"
  exit
fi
if engine_answers; then
  "$scripts/base-images.sh"
  run_beside_engine "$@"
fi
[ "$(id -u)" -eq 0 ] || fail "no container engine answers here; start one, or run this as root."
mkdir -p "$state"
exec 9>"$state/lock"
flock --nonblock 9 || fail "the engine in $state is in use; wait until it is done."
install_engine
fetch_plugins
"$scripts/base-images.sh" --fetch
# Sockets have short paths only.
runtime=$(mktemp -d /tmp/containers.XXXXXX)
status=0
unshare --net --mount --pid --fork --kill-child --mount-proc \
  "$scripts/with-containers.sh" --inside "$runtime" "$@" || status=$?
rm -rf "$runtime"
exit $status
