#!/bin/bash
# Makes a certificate authority of this machine, once, and a certificate for all its names and addresses, and prints where
# a browser on another machine finds the player page.
# Usage: local-certificate.sh DIRECTORY PORT
set -euo pipefail

directory=$1
port=$2
mkdir -p "$directory"
cd "$directory"
umask 077

names="localhost $(hostname) $(hostname -f 2>/dev/null || true)"
addresses="127.0.0.1 ::1 $(hostname -I 2>/dev/null || true)"
subject=$(
    { printf 'DNS:%s\n' $names; printf 'IP:%s\n' $addresses; } | sort -u | paste -sd,
)

if [ ! -s authority.key ] || ! openssl x509 -in authority.pem -noout -checkend 2592000 >/dev/null 2>&1; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 \
        -subj "/CN=packager on $(hostname), $(date -u +%Y-%m-%d)" \
        -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
        -keyout authority.key -out authority.pem 2>/dev/null
fi

# The key is made anew each time, and the files are replaced whole: a packager that runs takes them up.
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$(hostname)" \
    -keyout server.key.new -out server.csr 2>/dev/null
openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 397 \
    -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n' "$subject") \
    -out server.pem.new 2>/dev/null
rm server.csr
mv server.key.new server.key
mv server.pem.new server.pem
chmod 644 authority.pem

# The address that others reach this machine by.
address=$(hostname -I 2>/dev/null | awk '{print $1}')
echo "Open https://${address:-localhost}:$port/ on any machine of this network."
echo "Browsers trust it once they have $directory/authority.pem as an authority; else they ask first."
