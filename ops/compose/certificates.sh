#!/bin/sh
# Creates the certificates with which Temporal and its clients in compose.yaml authenticate each other
# (docs/operations.md#certificates). When it runs again it renews them, with the same authority as long as its
# key exists.
set -eu
umask 077
folder=${1:-.certificates}
mkdir -p "$folder"
cd "$folder"

# A key and its signing request. Argument: the name.
request() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" \
    -keyout "$1.key" -out "$1.csr" 2>/dev/null
}

# A certificate of the authority. Arguments: the name, its purpose, and additional names of a server.
issue() {
  request "$1"
  printf '%s\n' 'basicConstraints=critical,CA:FALSE' 'keyUsage=critical,digitalSignature' \
    "extendedKeyUsage=$2" "${3:-}" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 825 \
    -extfile "$1.ext" -out "$1.pem" 2>/dev/null
  rm "$1.csr" "$1.ext"
}

if [ ! -f ca.key ]; then
  request ca
  printf '%s\n' 'basicConstraints=critical,CA:TRUE,pathlen:0' 'keyUsage=critical,keyCertSign' \
    'subjectKeyIdentifier=hash' >ca.ext
  openssl x509 -req -in ca.csr -signkey ca.key -days 3650 -extfile ca.ext -out ca.pem 2>/dev/null
  rm ca.csr ca.ext
fi
# Temporal's services are clients of each other, too.
issue temporal serverAuth,clientAuth subjectAltName=DNS:temporal,DNS:localhost,IP:127.0.0.1
issue service clientAuth
issue temporal-ui clientAuth
# Containers read their files as their own users. On the machine itself, only the folder's owner can reach
# them.
chmod 644 ca.pem temporal.pem temporal.key service.pem service.key temporal-ui.pem temporal-ui.key
