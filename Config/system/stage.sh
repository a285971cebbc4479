#!/bin/sh
# stage.sh PROGRAM ROOT: puts a program that was built, its symbols, its manual pages and its completions below ROOT.
set -eu
program=$1
root=$2
rm -rf "$root" "$root-symbols"
install -d "$root/usr/bin" "$root/usr/share/packager" "$root/usr/share/man/man1" "$root/usr/share/man/man5" \
  "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d"
# gdb finds symbols by the build ID (GDB manual, "Separate Debug Files").
id=$(readelf -n "$program" | sed -n 's/.*Build ID: //p')
symbols="$root-symbols/usr/lib/debug/.build-id/$(printf %s "$id" | cut -c 1-2)"
install -d "$symbols"
symbols="$symbols/$(printf %s "$id" | cut -c 3-).debug"
objcopy --only-keep-debug "$program" "$symbols"
chmod 644 "$symbols"
objcopy --strip-all --add-gnu-debuglink="$symbols" "$program" "$root/usr/bin/packager"
chmod 755 "$root/usr/bin/packager"
install -m 644 "$(dirname "$0")/../../Samples/slate.ts" "$root/usr/share/packager/slate.ts"
packager=$root/usr/bin/packager
"$packager" --generate-completion-script bash > "$root/usr/share/bash-completion/completions/packager"
"$packager" --generate-completion-script zsh > "$root/usr/share/zsh/vendor-completions/_packager"
"$packager" --generate-completion-script fish > "$root/usr/share/fish/vendor_completions.d/packager.fish"
"$packager" --experimental-dump-help | python3 "$(dirname "$0")/manual.py" "$root/usr/share/man"
