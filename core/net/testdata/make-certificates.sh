#!/bin/sh
# Makes the certificates of the tests anew, with OpenSSL 3. They are valid for a hundred years, except `expired`.
# Keys in this folder protect nothing.
set -eu
cd "$(dirname "$0")"
DAYS=36500

authority() { # name
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.pem" \
    -days $DAYS -subj "/CN=$1" -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
}

leaf() { # name authority usage subjectAltName [validity...]
  name=$1 authority=$2 usage=$3 alt=$4
  shift 4
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$name.key" -out "$name.csr" \
    -subj "/CN=$name" 2>/dev/null
  printf 'basicConstraints=CA:FALSE\nextendedKeyUsage=%s\nsubjectAltName=%s\n' "$usage" "$alt" >"$name.ext"
  openssl x509 -req -in "$name.csr" -CA "$authority.pem" -CAkey "$authority.key" -CAcreateserial -out "$name.pem" \
    -extfile "$name.ext" "$@" 2>/dev/null
  rm "$name.csr" "$name.ext"
}

HERE='DNS:localhost,IP:127.0.0.1,IP:::1'
authority ca
authority other-ca
leaf server ca serverAuth "$HERE" -days $DAYS
leaf renewed ca serverAuth "$HERE" -days $DAYS
leaf elsewhere ca serverAuth 'DNS:elsewhere.example' -days $DAYS
leaf foreign other-ca serverAuth "$HERE" -days $DAYS
leaf client ca clientAuth 'DNS:client' -days $DAYS
leaf foreign-client other-ca clientAuth 'DNS:client' -days $DAYS
leaf expired ca serverAuth "$HERE" -days -1
rm -f ./*.srl
