#!/bin/bash
# container_image.sh FEED: checks the Containerfile by reading it, builds its image with podman or buildah, starts that, and waits until it is
# healthy and has a playlist. Where there is no builder, or no registry can be reached, it says so and builds nothing. Wants to be root, as mounts do.
set -euo pipefail
. "$(dirname "$0")/container_run.sh"
feed=$(realpath "$1")
cd "$(dirname "$0")/../.."
image=localhost/packager-check
log=$(mktemp)
builder=
container=
root=
packager=
finish() {
  [ -z "$packager" ] || kill "$packager" 2> /dev/null || true
  for directory in proc dev; do [ -z "$root" ] || umount "$root/$directory" 2> /dev/null || true; done
  [ -z "$container" ] || "$builder" rm $([ "$builder" != podman ] || echo --force) "$container" > /dev/null 2>&1 || true
  [ -z "$builder" ] || "$builder" rmi "$image" > /dev/null 2>&1 || true
  rm -f "$log"
}
trap finish EXIT
not_built() { echo "the Containerfile is as it should be; its image is not built: $*"; exit 0; }
python3 Tests/System/containerfile.py Containerfile
[ "$(id -u)" = 0 ] || not_built "only root can"
for program in podman buildah; do
  ! command -v "$program" > /dev/null || { builder=$program; break; }
done
[ -n "$builder" ] || not_built "there is neither podman nor buildah (apt-get install buildah)"
for base in $(sed -n 's/^FROM \([^ ]*\).*/\1/p' Containerfile); do
  timeout 900 "$builder" pull "$base" > "$log" 2>&1 || not_built "$builder cannot pull $base: $(tail -n 1 "$log")"
done
echo "$builder build (it compiles the program)"
# Images of OCI have no health check.
"$builder" build --format docker --tag "$image" --file Containerfile . > "$log" 2>&1 \
  || { tail -n 30 "$log"; echo "FAILED: the image does not build"; exit 1; }
if [ "$builder" = podman ]; then
  container=$(podman run --detach --publish 127.0.0.1::8080 --volume "$feed:/feed.ts:ro" "$image" \
    --input /feed.ts --loop --segment-duration 2 --listen 0.0.0.0:8080 --state /var/lib/packager)
  origin=$(podman port "$container" 8080/tcp | head -n 1)
  until_true 60 "the container is never healthy" podman healthcheck run "$container" || { podman logs "$container"; exit 1; }
  until_true 30 "the container has no playlist" curl --silent --fail "http://$origin/live/index.m3u8" || { podman logs "$container"; exit 1; }
  podman stop --time 30 "$container" > /dev/null
  [ "$(podman inspect --format '{{.State.ExitCode}}' "$container")" = 0 ] \
    || { podman logs "$container"; echo "FAILED: the container does not end with exit code 0"; exit 1; }
else
  # buildah starts no containers: what it has built is run in place.
  container=$(buildah from "$image")
  root=$(buildah mount "$container")
  mount --bind /proc "$root/proc"
  mount --bind /dev "$root/dev"
  install -m 644 "$feed" "$root/tmp/feed.ts"
  run_as_container
fi
echo "the image is built by $builder, healthy and on air"
