#!/bin/bash
# Runs a command with real virtual sockets between the programs of this machine: inside a user-mode
# Linux kernel, which has the loopback of AF_VSOCK, and whose root is this machine's own, read-only.
#
#   Scripts/with-vsock-kernel.sh COMMAND [ARGUMENT]...
#
# The command's path is absolute. Its output and exit status come back; nothing is to be said of
# its speed. KART_VSOCK=1 tells it where it is.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%q ' "$@" >"$folder/command"

cat >"$folder/init" <<INIT
#!/bin/sh
busybox=/bin/busybox
\$busybox mount -t proc proc /proc
\$busybox mount -t sysfs sys /sys
\$busybox mount -t tmpfs run /run
\$busybox mount -t tmpfs tmp /tmp
\$busybox mount -t tmpfs shm /dev/shm
# A checkout below /tmp would be hidden.
\$busybox mkdir -p "$PWD"
\$busybox mount -t hostfs -o "$PWD" none "$PWD"
\$busybox mount -t hostfs -o $folder none /media
\$busybox ip link set lo up
for module in vsock vmw_vsock_virtio_transport_common vsock_loopback; do
  \$busybox insmod /usr/lib/uml/modules/\$(uname -r)/kernel/net/vmw_vsock/\$module.ko
done
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/run TMPDIR=/run KART_VSOCK=1
cd /run
sh /media/command >/media/output 2>&1
echo \$? >/media/status
\$busybox poweroff -f
INIT
chmod +x "$folder/init"

timeout --kill-after=5 "${VSOCK_TIMEOUT:-120}" \
  linux.uml mem=1G rootfstype=hostfs rootflags=/ ro init="$folder/init" \
  con0=null,fd:1 con=null quiet </dev/null >"$folder/console" 2>&1 || {
  tail -n 20 "$folder/console" >&2
  cat "$folder/output" 2>/dev/null
  echo "with-vsock-kernel.sh: the kernel did not end in good order" >&2
  exit 125
}
cat "$folder/output"
exit "$(cat "$folder/status")"
