#!/bin/bash
# Sees to the images that the Containerfile builds on, swift:6.3-bookworm and its -slim one: those that
# the engine has or can pull, else images of the same use made of this machine's Swift toolchain and of
# Debian's packages.
#
#   Scripts/base-images.sh           has the images in the engine
#   Scripts/base-images.sh --fetch   fetches what making them takes, for an engine without a network
#   Scripts/base-images.sh --mirror  tells which of Debian's mirrors this machine uses
set -euo pipefail
cd "$(dirname "$0")/.."

roots=.build/base-images
# What Swift's own image has, and the C libraries that Scripts/bootstrap.sh would install in it.
libraries=$(grep -oE 'want [a-z0-9.+-]+-dev' Scripts/bootstrap.sh | cut -d ' ' -f 2 | sort -u | paste -sd ,)
builder_packages=binutils,ca-certificates,gcc,git,libc6-dev,libcurl4,libedit2,libncurses6,libstdc++-12-dev,libxml2,pkg-config,tzdata,$libraries
# What Swift's slim image has, and what the Containerfile would install in it.
runtime_packages=libstdc++6,tzdata,$(sed -n 's/^ARG PACKAGES="\(.*\)"/\1/p' Containerfile | tr ' ' ,)

say() { echo "base-images: $*" >&2; }

mirror() {
  local uri
  uri=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
  echo "${uri:-http://deb.debian.org/debian}"
}

# Fetches a Debian with the packages $2 into the folder $1.
fetch() {
  local root=$roots/$1
  [ -e "$root.packages" ] && [ "$(cat "$root.packages")" = "$2" ] && return
  say "fetching Debian's packages into $root"
  rm -rf "$root"
  mkdir -p "$roots"
  mmdebstrap --quiet --variant=minbase --include="$2" bookworm "$root" "$(mirror)" >&2
  echo "$2" >"$root.packages"
}

# Makes the image swift:$1 of the Debian in the folder $2 and of the toolchain's files that standard input
# names.
make_image() {
  local root=$roots/$2
  say "making swift:$1 of this machine's toolchain, as it cannot be pulled"
  # Files alone: an image takes no folder twice.
  tar --create --directory "$root" --exclude='./dev/*' --exclude=./usr/share/doc \
    --exclude=./usr/share/man --exclude=./var/cache/apt --exclude=./var/lib/apt/lists . \
    --directory "$toolchain" --no-recursion --files-from /dev/stdin \
    | docker import --change 'CMD ["bash"]' --change "LABEL packages=$(cat "$root.packages")" - \
      "swift:$1" >/dev/null
}

# Whether the engine has the image swift:$1, or can get it. One that was made here must hold the packages $2.
is_there() {
  local packages
  if packages=$(docker image inspect --format '{{.Config.Labels.packages}}' "swift:$1" 2>/dev/null); then
    [ "$packages" = "<no value>" ] || [ "$packages" = "$2" ]
  else
    timeout 900 docker pull --quiet "swift:$1" >/dev/null 2>&1
  fi
}

case ${1:-} in
--mirror)
  mirror
  exit
  ;;
--fetch)
  fetch runtime "$runtime_packages"
  fetch builder "$builder_packages"
  exit
  ;;
esac
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
is_there 6.3-bookworm-slim "$runtime_packages" || {
  fetch runtime "$runtime_packages"
  (cd "$toolchain" && ls -d usr/lib/swift/linux/*.so) | make_image 6.3-bookworm-slim runtime
}
is_there 6.3-bookworm "$builder_packages" || {
  fetch builder "$builder_packages"
  # Debuggers, editors' servers and the like are left out.
  (cd "$toolchain" && find usr ! -type d) \
    | grep -vE '/(lldb[^/]*|liblldb[^/]*|clangd|docc|sourcekit-lsp|libsourcekitdInProc.so|swift-format|wasmkit)$|/embedded/' \
    | make_image 6.3-bookworm builder
}
