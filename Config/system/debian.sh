#!/bin/sh
# debian.sh DIST VERSION OUTPUT: makes packager_VERSION_ARCH.deb, and packager-dbgsym, of what stage.sh has left in DIST/root.
set -eu
dist=$1
version=$2
output=$3
here=$(dirname "$0")
architecture=$(dpkg --print-architecture)
maintainer=$(git -C "$here" log -1 --format='%an <%ae>')
root=$dist/deb
rm -rf "$root" "$dist/deb-symbols"
cp -a "$dist/root" "$root"
doc=$root/usr/share/doc/packager
install -D -m 644 "$here/packager.service" "$root/lib/systemd/system/packager.service"
install -D -m 644 "$here/../haproxy.cfg" "$doc/examples/haproxy.cfg"
install -D -m 644 -t "$doc/examples/edge" "$here"/../edge/*.*
install -D -m 644 -t "$doc/examples/edge/trafficserver" "$here"/../edge/trafficserver/*
install -D -m 644 -t "$doc/examples/fleet" "$here"/../fleet/*
install -D -m 644 "$here/logrotate" "$doc/examples/logrotate"
# A container's Debian leaves out /usr/share/doc, and alerts are wanted there as well.
install -D -m 644 -t "$root/usr/share/packager/monitoring" "$here/../monitoring/alerts.yaml" "$here/../monitoring/dashboard.json"
install -D -m 644 "$here/../low-latency.yaml" "$doc/examples/low-latency.yaml"
# An installed service serves viewers on other machines, and keeps its journal, events and secrets where the unit lets it write.
install -d "$root/etc/packager"
cat > "$root/etc/packager/packager.yaml" <<'END'
# Set these two first:
#
#   listen  the address that viewers reach: 0.0.0.0:8080 is port 8080 of every address of this machine. Write
#           127.0.0.1:8080 where a proxy on this machine serves them.
#   input   the feed of your encoder, below channels. The one below is an example that nobody may send to.
#
# Then check the file and start the service:
#
#   packager check-config /etc/packager/packager.yaml && systemctl enable --now packager

END
sed -e 's|^listen: .*|listen: 0.0.0.0:8080|' -e 's|^    # state: .*|    state: /var/lib/packager|' "$here/../packager.yaml" \
  >> "$root/etc/packager/packager.yaml"
chmod 644 "$root/etc/packager/packager.yaml"
grep -q '^listen: 0.0.0.0:8080$' "$root/etc/packager/packager.yaml"
grep -q '^    state: /var/lib/packager$' "$root/etc/packager/packager.yaml"
cat > "$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: packager

Files: *
Copyright: $(git -C "$here" log -1 --format=%cd --date=format:%Y) the authors of packager
License: Apache-2.0
 The whole text is in /usr/share/common-licenses/Apache-2.0.
END
chmod 644 "$doc/copyright"
# Swift's packages are linked into the program; these have libraries of C of their own (Yams libyaml, swift-nio-extras zlib).
install -d "$root/usr/share/lintian/overrides"
printf 'packager: embedded-library %s [usr/bin/packager]\n' libyaml zlib > "$root/usr/share/lintian/overrides/packager"
chmod 644 "$root/usr/share/lintian/overrides/packager"
gzip -9nf "$root"/usr/share/man/man[15]/*
gzip -9nc "$here/../../CHANGELOG.md" > "$doc/changelog.gz"
printf 'packager (%s) unstable; urgency=medium\n\n  * Built from %s; changelog.gz says what changes for users.\n\n -- %s  %s\n' \
  "$version" "$(git -C "$here" log -1 --format=%h)" "$maintainer" "$(git -C "$here" log -1 --format=%cD)" \
  | gzip -9n > "$doc/changelog.Debian.gz"
# The program's needs of the system, as its own library packages say (deb-shlibs(5)).
mkdir -p "$dist/debian"
printf 'Source: packager\n\nPackage: packager\nArchitecture: any\n' > "$dist/debian/control"
depends=$(cd "$dist" && dpkg-shlibdeps -O deb/usr/bin/packager 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
control() { # NAME, SECTION, FIELDS, SUMMARY, DIRECTORY
  install -d "$5/DEBIAN"
  cat > "$5/DEBIAN/control" <<END
Package: $1
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$5" | cut -f 1)
$3
Section: $2
Priority: optional
Description: $4
END
  (cd "$5" && find . -type f ! -path './DEBIAN/*' ! -path './etc/*' -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' md5sum > DEBIAN/md5sums)
  chmod 644 "$5/DEBIAN/md5sums"
}
control packager video "Pre-Depends: init-system-helpers (>= 1.54~)
Depends: $depends
Recommends: ca-certificates, tesseract-ocr" "live HLS packager and origin
 An encoder's feed comes in; players pull an encrypted, rolling HLS
 stream out of the built-in origin. Lost media is published as a gap, on
 time, and media returns at its true place on the same timeline." "$root"
echo /etc/packager/packager.yaml > "$root/DEBIAN/conffiles"
# As debhelper's dh_installsystemd --no-enable --no-start writes them. An upgrade does not restart the service: SIGUSR2 does it
# without a missing slot.
cat > "$root/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ] || [ "$1" = abort-upgrade ] || [ "$1" = abort-deconfigure ] || [ "$1" = abort-remove ]; then
	# Only the mask of an earlier removal is taken away.
	deb-systemd-helper unmask packager.service > /dev/null || true
	if deb-systemd-helper --quiet was-enabled packager.service && deb-systemd-helper debian-installed packager.service; then
		deb-systemd-helper enable packager.service > /dev/null || true
	fi
	# The links that purging has to remove, whoever has made them.
	deb-systemd-helper update-state packager.service > /dev/null || true
	if [ -d /run/systemd/system ]; then
		systemctl --system daemon-reload > /dev/null || true
	fi
fi
if [ "$1" = configure ] && [ -z "$2" ]; then
	echo "packager: set listen and input in /etc/packager/packager.yaml, then: systemctl enable --now packager"
fi
END
cat > "$root/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
	deb-systemd-invoke stop packager.service > /dev/null || true
fi
END
cat > "$root/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -x /usr/bin/deb-systemd-helper ]; then
	deb-systemd-helper mask packager.service > /dev/null || true
fi
if [ "$1" = purge ]; then
	if [ -x /usr/bin/deb-systemd-helper ]; then
		deb-systemd-helper purge packager.service > /dev/null || true
		deb-systemd-helper unmask packager.service > /dev/null || true
	fi
	rm -rf /var/lib/packager /var/lib/private/packager
	# The overlay of a drop-in or an operator may be there; the directory goes only if it is empty.
	rmdir --ignore-fail-on-non-empty /etc/packager 2> /dev/null || true
fi
if [ -d /run/systemd/system ]; then
	systemctl --system daemon-reload > /dev/null || true
fi
END
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm" "$root/DEBIAN/postrm"
cp -a "$dist/root-symbols" "$dist/deb-symbols"
install -d "$dist/deb-symbols/usr/share/doc"
ln -s packager "$dist/deb-symbols/usr/share/doc/packager-dbgsym"
control packager-dbgsym debug "Depends: packager (= $version)" "symbols of packager, for debuggers
 With these a debugger names the functions and lines of a core dump." "$dist/deb-symbols"
for package in deb deb-symbols; do
  dpkg-deb --root-owner-group -Zxz --build "$dist/$package" "$output" > /dev/null
done
