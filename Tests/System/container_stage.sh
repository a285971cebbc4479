#!/bin/bash
# container_stage.sh DEB FEED [ROOT]: does in a bare Debian 12 what the last stage of the Containerfile does, and runs what comes of it as a
# container would: as its user, with its entry point, looked at by its health check. Wants to be root, as debootstrap and chroot do.
set -euo pipefail
. "$(dirname "$0")/container_run.sh"
deb=$1
feed=$2
root=${3:-$(mktemp -d)/root}
[ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase bookworm "$root" > "$root.log"
cp /etc/resolv.conf "$root/etc/"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
packager=
finish() {
  [ -z "$packager" ] || kill "$packager" 2> /dev/null || true
  umount "$root/proc" "$root/dev"
  [ -n "${3:-}" ] || rm -rf --one-file-system "$root"
}
trap 'finish "$@"' EXIT
mkdir -p "$root/packages"
cp "$deb" "$root/packages/"
cp "$feed" "$root/tmp/feed.ts"
while read -r command; do
  echo "RUN $command"
  chroot "$root" sh -c "$command" > "$root/tmp/run.log" 2>&1 || { tail -20 "$root/tmp/run.log"; exit 1; }
done < <(sed -n 's/^RUN //p' <<< "$(last_stage)")
run_as_container
echo "the stage runs, and its health check tells"
