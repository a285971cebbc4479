#!/bin/sh
# describe.sh PACKAGE OUTPUT: writes OUTPUT/BuildInformation.swift, where it is not there already as it would be written.
set -eu
commit=$(git -C "$1" -c safe.directory='*' log -1 --format='%h of %cs' 2>/dev/null || true)
if [ -z "$commit" ]; then
  commit="an unknown commit"
elif ! git -C "$1" -c safe.directory='*' diff --quiet HEAD -- Package.swift Sources 2>/dev/null; then
  commit="$commit, changed since"
fi
mkdir -p "$2"
cat > "$2/BuildInformation.new" <<END
/// What this program was built from.
enum BuildInformation {
    static let commit = "$commit"
}
END
cmp -s "$2/BuildInformation.new" "$2/BuildInformation.swift" || cp "$2/BuildInformation.new" "$2/BuildInformation.swift"
rm "$2/BuildInformation.new"
