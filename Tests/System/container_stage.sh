#!/bin/bash
# container_stage.sh DEB FEED [ROOT]: does in a bare Debian 12 what the last stage of the Containerfile does, and runs what comes of it as a
# container would: as its user, with its entry point, looked at by its health check. Wants to be root, as debootstrap and chroot do.
set -euo pipefail
deb=$1
feed=$2
root=${3:-$(mktemp -d)/root}
file=$(dirname "$0")/../../Containerfile
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
stage=$(sed -n '/^FROM .*debian:12-slim/,$p' "$file")
while read -r command; do
  echo "RUN $command"
  chroot "$root" sh -c "$command" > "$root/tmp/run.log" 2>&1 || { tail -20 "$root/tmp/run.log"; exit 1; }
done < <(sed -n 's/^RUN //p' <<< "$stage")
user=$(sed -n 's/^USER //p' <<< "$stage")
entry=$(sed -n 's/^ENTRYPOINT //p' <<< "$stage" | python3 -c 'import json, sys; print(*json.load(sys.stdin))')
health=$(sed -n 's/^HEALTHCHECK .* CMD //p' <<< "$stage")
healthy() {
  python3 -c 'import json, os, sys; root, user = sys.argv[1:3]; os.execvp("chroot", ["chroot", "--userspec", user, root] + json.load(sys.stdin))' \
    "$root" "$user" <<< "$health" > /dev/null 2>&1
}
! healthy || { echo "healthy before it runs"; exit 1; }
chroot --userspec "$user" "$root" $entry --input /tmp/feed.ts --loop --segment-duration 2 --encryption aes-128 \
  --state /var/lib/packager --listen 127.0.0.1:18094 > "$root/tmp/packager.log" 2>&1 &
packager=$!
for _ in $(seq 30); do healthy && break; sleep 1; done
healthy || { echo "never healthy"; cat "$root/tmp/packager.log"; exit 1; }
[ "$(stat -c %a "$root/var/lib/packager/master.key" 2> /dev/null || stat -c %a "$root"/var/lib/packager/*/master.key)" = 600 ]
kill "$packager"
wait "$packager"
packager=
! healthy || { echo "healthy after its end"; exit 1; }
echo "the stage runs, and its health check tells"
