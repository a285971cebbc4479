# Sourced by container_stage.sh and container_image.sh, which have `root` and `packager` (a process, or nothing) and end both.

# Prints the last stage of the Containerfile.
last_stage() { sed -n '/^FROM .*debian:12-slim/,$p' "$(dirname "${BASH_SOURCE[0]}")/../../Containerfile"; }

# Prints the command of the health check, as JSON.
health_command() { sed -n 's/^HEALTHCHECK .* CMD //p' <<< "$(last_stage)"; }

# Waits until a command succeeds: SECONDS, WORDS, COMMAND…
until_true() {
  local end=$((SECONDS + $1)) words=$2
  shift 2
  until "$@" > /dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || { echo "FAILED: $words"; return 1; }
    sleep 0.5
  done
}

# Runs the tree below `root` as a container would: as its user, with its entry point, looked at by its health check. /tmp/feed.ts is fed.
run_as_container() {
  local user entry origin=127.0.0.1:18094
  user=$(sed -n 's/^USER //p' <<< "$(last_stage)")
  entry=$(sed -n 's/^ENTRYPOINT //p' <<< "$(last_stage)" | python3 -c 'import json, sys; print(*json.load(sys.stdin))')
  healthy() {
    python3 -c 'import json, os, sys; root, user = sys.argv[1:3]; os.execvp("chroot", ["chroot", "--userspec", user, root] + json.load(sys.stdin))' \
      "$root" "$user" <<< "$(health_command)"
  }
  ! healthy > /dev/null 2>&1 || { echo "FAILED: healthy before it runs"; return 1; }
  chroot --userspec "$user" "$root" $entry --input /tmp/feed.ts --loop --segment-duration 2 --encryption aes-128 \
    --state /var/lib/packager --listen "$origin" > "$root/tmp/packager.log" 2>&1 &
  packager=$!
  until_true 30 "it is never healthy" healthy || { cat "$root/tmp/packager.log"; return 1; }
  until_true 30 "it has no playlist" curl --silent --fail "http://$origin/live/index.m3u8" || { cat "$root/tmp/packager.log"; return 1; }
  [ "$(stat -c %a "$root/var/lib/packager/master.key" 2> /dev/null || stat -c %a "$root"/var/lib/packager/*/master.key)" = 600 ] \
    || { echo "FAILED: others can read the master secret"; return 1; }
  kill "$packager"
  wait "$packager" || { echo "FAILED: it ends with exit code $?"; return 1; }
  packager=
  ! healthy > /dev/null 2>&1 || { echo "FAILED: healthy after its end"; return 1; }
}
