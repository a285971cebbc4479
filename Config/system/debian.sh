#!/bin/sh
# debian.sh DIST VERSION OUTPUT: makes packager_VERSION_ARCH.deb, and packager-dbgsym, of what stage.sh has left in DIST/root.
set -eu
dist=$1
version=$2
output=$3
here=$(dirname "$0")
architecture=$(dpkg --print-architecture)
root=$dist/deb
rm -rf "$root" "$dist/deb-symbols"
cp -a "$dist/root" "$root"
install -D -m 644 "$here/packager.service" "$root/lib/systemd/system/packager.service"
install -D -m 644 "$here/../packager.yaml" "$root/etc/packager/packager.yaml"
install -D -m 644 "$here/../haproxy.cfg" "$root/usr/share/doc/packager/examples/haproxy.cfg"
install -D -m 644 "$here/logrotate" "$root/usr/share/doc/packager/examples/logrotate"
install -D -m 644 "$here/../../LICENSE" "$root/usr/share/doc/packager/copyright"
gzip -9nf "$root"/usr/share/man/man1/*
# What the program needs of the system, as its own library packages say (deb-shlibs(5)).
mkdir -p "$dist/debian"
printf 'Source: packager\n\nPackage: packager\nArchitecture: any\n' > "$dist/debian/control"
depends=$(cd "$dist" && dpkg-shlibdeps -O deb/usr/bin/packager 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
control() { # NAME, DEPENDS, SUMMARY, DIRECTORY
  install -d "$4/DEBIAN"
  cat > "$4/DEBIAN/control" <<END
Package: $1
Version: $version
Architecture: $architecture
Maintainer: $(git -C "$here" log -1 --format='%an <%ae>')
Installed-Size: $(du -sk --exclude=DEBIAN "$4" | cut -f 1)
Depends: $2
Section: video
Priority: optional
Description: $3
END
}
control packager "$depends" "live HLS packager and origin
 An encoder's feed comes in; players pull an encrypted, rolling HLS stream out of the
 built-in origin. What is lost is published as a gap, on time, and media returns at its
 true place on the same timeline." "$root"
echo /etc/packager/packager.yaml > "$root/DEBIAN/conffiles"
cat > "$root/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
[ -d /run/systemd/system ] && systemctl daemon-reload || true
[ "$1" = configure ] && [ -z "$2" ] && echo "packager: edit /etc/packager/packager.yaml, then: systemctl enable --now packager"
exit 0
END
cat > "$root/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
[ "$1" = remove ] && [ -d /run/systemd/system ] && systemctl stop packager || true
END
cat > "$root/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
[ -d /run/systemd/system ] && systemctl daemon-reload || true
[ "$1" = purge ] && rm -rf /var/lib/packager /var/lib/private/packager || true
END
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm" "$root/DEBIAN/postrm"
cp -a "$dist/root-symbols" "$dist/deb-symbols"
control packager-dbgsym "packager (= $version)" "symbols of packager, for debuggers" "$dist/deb-symbols"
for package in deb deb-symbols; do
  dpkg-deb --root-owner-group -Zzstd --build "$dist/$package" "$output" > /dev/null
done
