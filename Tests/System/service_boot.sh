#!/bin/bash
# service_boot.sh DEB FEED [ROOT]: boots a bare Debian 12 with systemd, and takes the package's service through its life there: installed, enabled
# without an encoder, rebooted, fed, reloaded, changed by the control API, upgraded, installed again, purged.
# A ROOT that is there already is used again. Wants to be root, as debootstrap and systemd-nspawn do.
set -euo pipefail
deb=$(realpath "$1")
feed=$(realpath "$2")
kept=${3:-}
root=${kept:-$(mktemp -d)/root}
nspawn=
init=
sender=
skip() { echo "skipped: $*"; exit 0; }
fail() {
  echo "FAILED: $*"
  [ -z "$init" ] || inside journalctl --unit packager --no-pager --lines 30 || true
  exit 1
}
# Runs a command in the booted system.
inside() { nsenter --target "$init" --mount --uts --ipc --net --pid --cgroup --root --wd=/ -- "$@"; }
# Waits until a command succeeds: SECONDS, WORDS, COMMAND…
until_true() {
  local end=$((SECONDS + $1)) words=$2
  shift 2
  until "$@" > /dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || fail "$words"
    sleep 0.5
  done
}
# The network is the container's own, so that ports of this machine are nobody's business.
boot() {
  systemd-nspawn --quiet --directory "$root" --boot --machine=packager-check --register=no --keep-unit --private-network --link-journal=no \
    --console=read-only < /dev/null > "$root.console" 2>&1 &
  nspawn=$!
  local end=$((SECONDS + 120))
  until init=$(pgrep --parent "$nspawn" | head -n 1) && [ -n "$init" ] && inside systemctl is-active --quiet multi-user.target 2> /dev/null; do
    kill -0 "$nspawn" 2> /dev/null || { init=; return 1; }
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.5
  done
}
halt() {
  [ -z "$sender" ] || kill "$sender" 2> /dev/null || true
  [ -z "$init" ] || kill -KILL "$init" 2> /dev/null || true
  [ -z "$nspawn" ] || wait "$nspawn" 2> /dev/null || true
  sender= init= nspawn=
}
finish() {
  halt
  [ -n "$kept" ] || rm -rf --one-file-system "$root" "$root".*
}
trap finish EXIT
[ "$(id -u)" = 0 ] || skip "a container can be booted by root only"
command -v systemd-nspawn > /dev/null || skip "there is no systemd-nspawn"
[ -x "$root/lib/systemd/systemd" ] \
  || debootstrap --variant=minbase --include=ca-certificates,systemd,systemd-sysv,dbus bookworm "$root" > "$root.log"
cp /etc/resolv.conf "$root/etc/"
# The container has no network: what the package needs is there before it.
cp "$deb" "$root/var/packager.deb"
dependencies=$(dpkg-deb --field "$deb" Depends Pre-Depends | sed 's/^[^:]*: //; s/([^)]*)//g; s/,/ /g')
chroot "$root" sh -c "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $(echo $dependencies)" \
  > "$root.install" 2>&1 || { tail "$root.install"; exit 1; }
boot || { tail -n 5 "$root.console"; skip "systemd does not boot in systemd-nspawn here (above is its console)"; }

api() { inside bash -c 'exec 3<> /dev/tcp/127.0.0.1/8081; printf "%s /%s HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" "$1" "$2" "${#3}" "$3" >&3; timeout 10 cat <&3' - "$1" "$2" "${3:-}"; }
main() { inside systemctl show --property MainPID --value packager; }
status() { inside systemctl show --property StatusText --value packager; }
says() { [[ $(status) == *"$1"* ]]; }
answers() { [[ $(api "${@:2}") == "HTTP/1.1 $1 "* ]]; }
logged() { [[ $(inside journalctl --unit packager --output cat --no-pager) == *"$1"* ]]; }
enabled=$root/etc/systemd/system/multi-user.target.wants/packager.service

echo "install"
inside dpkg --install /var/packager.deb > "$root.install" 2>&1 || { cat "$root.install"; fail "the package does not install"; }
[ ! -e "$enabled" ] || fail "it is enabled before anybody has configured it"
inside packager check-config /etc/packager/packager.yaml || fail "the packaged configuration cannot be used"
sed -i 's|udp://239.0.0.1:5000|udp://127.0.0.1:5000|' "$root/etc/packager/packager.yaml"

echo "start without an encoder"
SECONDS=0
inside timeout 60 systemctl enable --now --quiet packager || fail "systemctl enable --now does not return"
echo "  ready after $SECONDS s"
inside systemctl is-active --quiet packager || fail "the service is not active"
until_true 20 "STATUS does not say that it waits" says 'Waiting for a feed: live'
! logged 'events are only in memory' || fail "events are not kept"
[ -e "$root/var/lib/private/packager/events.sqlite" ] || fail "no events are kept"

echo "reboot"
inside systemctl reboot || true
wait "$nspawn" || true
boot || fail "multi-user.target is not reached without an encoder"
inside systemctl is-active --quiet packager || fail "the service does not come back"

echo "feed"
nsenter --target "$init" --net ffmpeg -v error -re -stream_loop -1 -i "$feed" -c copy -map 0 -f mpegts 'udp://127.0.0.1:5000?pkt_size=1316' < /dev/null &
sender=$!
until_true 60 "nothing is on air" says 'On air: live'
until_true 30 "it is not on air by /readyz" answers 200 GET readyz?on-air

echo "reload"
before=$(main)
inside timeout 60 systemctl reload packager || fail "systemctl reload fails"
until_true 20 "the reload is not in the log" logged "configuration applied"
cp "$root/etc/packager/packager.yaml" "$root.yaml"
echo 'listne: 1' >> "$root/etc/packager/packager.yaml"
! inside timeout 60 systemctl reload packager > /dev/null 2>&1 || fail "a configuration with a mistake is taken"
cp "$root.yaml" "$root/etc/packager/packager.yaml"
[ "$before" = "$(main)" ] || fail "a reload has changed the process"

echo "change by the control API"
answers 200 PATCH channels/live '{"window": 60}' || fail "PATCH is refused: $(api PATCH channels/live '{"window": 60}')"
[ -s "$root/var/lib/private/packager/channels.yaml" ] || fail "the change is not kept"

echo "log"
inside journalctl --unit packager --output json --no-pager > "$root.journal"
python3 - "$root.journal" <<'END' || fail "the journal has lines that are not as they should be"
import collections, json, re, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
lines = [line for line in lines if line.get("_COMM") == "packager" and line.get("_TRANSPORT") == "stdout"]
texts = [line["MESSAGE"] if isinstance(line["MESSAGE"], str) else bytes(line["MESSAGE"]).decode() for line in lines]
odd = [text for text in texts if re.match(r"<\d>|\d{4}-\d\d-\d\dT", text)]
priorities = collections.Counter(line["PRIORITY"] for line in lines)
print("  lines by priority:", dict(priorities))
if odd or not {"4", "5"} & set(priorities): sys.exit(f"{odd[:3]} {priorities}")
END

echo "upgrade"
before=$(main)
inside dpkg --install /var/packager.deb > "$root.install" 2>&1 || fail "the package does not install over itself"
[ "$before" = "$(main)" ] || fail "installing has restarted the service"
[ -L "$enabled" ] || fail "installing has disabled the service"
inside systemctl kill --signal USR2 --kill-whom=main packager
until_true 60 "the upgrade does not take place" eval '[ "$(main)" != "'"$before"'" ] && ! inside test -e "/proc/'"$before"'"'
inside systemctl is-active --quiet packager || fail "the service is not active after the upgrade"
until_true 20 "nothing is on air after the upgrade" says 'On air: live'

echo "remove and purge"
inside dpkg --remove packager > "$root.install" 2>&1 || { cat "$root.install"; fail "it cannot be removed"; }
! inside systemctl is-active --quiet packager || fail "it runs though it is removed"
inside dpkg --purge packager > "$root.install" 2>&1 || { cat "$root.install"; fail "it cannot be purged"; }
left=$(cd "$root" && find etc usr lib var run -iname '*packager*' ! -path 'var/packager.deb' ! -path 'var/log/journal/*' 2> /dev/null || true)
[ -z "$left" ] || fail "left behind: $left"
echo "the service lives and leaves as it should"
