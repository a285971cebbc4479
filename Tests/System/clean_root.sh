#!/bin/bash
# clean_root.sh DEB FEED [ROOT]: installs the package in a bare Debian 12, has it package a feed there, and looks at it from here.
# A ROOT that is there already is used again. Wants to be root, as debootstrap and chroot do.
set -euo pipefail
deb=$1
feed=$2
root=${3:-$(mktemp -d)/root}
[ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase --include=ca-certificates bookworm "$root" > "$root.log"
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
cp "$deb" "$root/tmp/packager.deb"
cp "$feed" "$root/tmp/feed.ts"
chroot "$root" bash -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends /tmp/packager.deb' > "$root/tmp/install.log"
! chroot "$root" bash -c 'command -v swift' || { echo "there is a Swift in the bare system"; exit 1; }
# The program, the package and its changelog name one version.
chroot "$root" packager version
number=$(chroot "$root" packager version | sed -n '1s/^packager \([0-9.]*\),.*/\1/p')
package=$(chroot "$root" dpkg-query --show --showformat '${Version}' packager)
[[ -n $number && $package == "$number"+git* ]] || { echo "the package is $package, the program $number"; exit 1; }
newest=$(gzip -dc "$root/usr/share/doc/packager/changelog.gz" | sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' | head -n 1)
[ "$newest" = "$number" ] || { echo "the changelog begins with $newest, the program is $number"; exit 1; }
chroot "$root" packager check-config /etc/packager/packager.yaml
cat > "$root/tmp/packager.yaml" <<END
{input: /tmp/feed.ts, loop: true, segment-duration: 2, encryption: aes-128, state: /tmp/state,
 listen: 127.0.0.1:18090, control: 127.0.0.1:18091}
END
chroot "$root" packager --config /tmp/packager.yaml > "$root/tmp/packager.log" 2>&1 &
packager=$!
codecs=$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 http://127.0.0.1:18090/live/index.m3u8 2> /dev/null || true)
for _ in $(seq 30); do
  [ -z "$codecs" ] || break
  sleep 1
  codecs=$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 http://127.0.0.1:18090/live/index.m3u8 2> /dev/null || true)
done
case $codecs in
  *h264*aac*|*aac*h264*) ;;
  *) echo "no stream: $codecs"; cat "$root/tmp/packager.log"; exit 1 ;;
esac
curl -sf http://127.0.0.1:18091/metrics | grep -q '^packager_channel_live{channel="live"} 1$'
kill "$packager"
wait "$packager"
packager=
echo "installed, and on air: $(du -sh "$root/usr/bin/packager" | cut -f 1) program, $(du -sh "$deb" | cut -f 1) package"
