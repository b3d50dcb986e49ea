#!/usr/bin/env bash
# Generates the fixed vectors of every signature scheme with openssl, without the code of the service.
# Usage: test/vectors/make.sh [FOLDER]   (default: the folder of this script)
set -euo pipefail
export LC_ALL=C

out=${1:-$(dirname "$0")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The key is the secret as text; the signature is the lowercase hex at the end of openssl's output.
hmac_of_file() { openssl dgst -sha256 -hmac "$1" "$2" | sed 's/^.*= //'; }
sha256_of_file() { openssl dgst -sha256 "$1" | sed 's/^.*= //'; }
base64_of_file() { openssl base64 -A -in "$1"; }

# Bodies, byte for byte (printf reads \xNN and \n).
printf '' >"$work/empty"
printf '{"amount":2500,"card_serial":"CARD-0001","request_id":"r-1"}' >"$work/plain"
printf '{"narration":"Marché à Wilberforce – €5 ✓"}' >"$work/unicode"
printf '\r\n  {"amount" :\t2500 }  \n\n' >"$work/whitespace"
printf '\x00\xff\xfe{"not":"utf-8 \xc3\x28"}\x80' >"$work/bytes"
BODIES='empty plain unicode whitespace bytes'

# JSON in the layout of this project's formatter. The values need no escaping.
begin() { file="$out/$1.json"; printf '[\n' >"$file"; first=1; }
end() { printf '\n]\n' >>"$file"; }
vector() { # name=value pairs
  if [ "$first" = 1 ]; then first=0; else printf ',\n' >>"$file"; fi
  printf '  {\n' >>"$file"
  local pair comma=''
  for pair in "$@"; do
    printf '%s    "%s": "%s"' "$comma" "${pair%%=*}" "${pair#*=}" >>"$file"
    comma=$',\n'
  done
  printf '\n  }' >>"$file"
}

# METHOD \n PATH \n TIMESTAMP \n RAW_BODY
body_signed() { # name, secret, method, target, timestamp, body
  { printf '%s\n%s\n%s\n' "$3" "$4" "$5"; cat "$work/$6"; } >"$work/signed"
  vector "name=$1" "secret=$2" "method=$3" "target=$4" "timestamp=$5" "body_base64=$(base64_of_file "$work/$6")" \
    "string_to_sign_base64=$(base64_of_file "$work/signed")" "signature=$(hmac_of_file "$2" "$work/signed")"
}

# METHOD \n PATH \n TIMESTAMP \n NONCE \n IDEMPOTENCY KEY (may be empty) \n SHA-256 of the body
inbound_signed() { # name, secret, method, target, timestamp, nonce, idempotency key, body
  printf '%s\n%s\n%s\n%s\n%s\n%s' "$3" "$4" "$5" "$6" "$7" "$(sha256_of_file "$work/$8")" >"$work/signed"
  vector "name=$1" "secret=$2" "method=$3" "target=$4" "timestamp=$5" "nonce=$6" "idempotency_key=$7" \
    "body_base64=$(base64_of_file "$work/$8")" "string_to_sign_base64=$(base64_of_file "$work/signed")" \
    "signature=$(hmac_of_file "$2" "$work/signed")"
}

# METHOD | PATH | QUERY | TIMESTAMP
service_signed() { # name, secret, method, path, query, timestamp
  printf '%s|%s|%s|%s' "$3" "$4" "$5" "$6" >"$work/signed"
  vector "name=$1" "secret=$2" "method=$3" "target=$4${5:+?$5}" "timestamp=$6" \
    "string_to_sign_base64=$(base64_of_file "$work/signed")" "signature=$(hmac_of_file "$2" "$work/signed")"
}

begin pos
for body in $BODIES; do
  body_signed "$body body" 'pos-secret-1' POST /api/v1/pos/payment 2026-03-01T12:00:00Z "$body"
done
body_signed 'query string, offset in the time' 'pos-secret-2 with spaces & signs' GET \
  '/api/v1/payment/history?limit=10&q=a%20b&empty=' 2026-03-01T13:30:00.250+01:30 empty
end

begin partner
for body in $BODIES; do
  body_signed "$body body" 'partner-secret-1' POST /api/v1/partner/cashin 2026-03-01T12:00:00Z "$body"
done
body_signed 'query string' 'pärtner-sécret' POST '/api/v1/partner/transaction-history?limit=1' 2026-03-01T12:00:00.001Z plain
end

begin inbound-read
inbound_signed 'status, empty body' 'inbound-secret-1' GET /api/v1/inbound/transactions/REF-1 2026-03-01T12:00:00Z \
  3f2b8c1e-6f0a-4c57-9d6e-0a1b2c3d4e5f '' empty
inbound_signed 'status, query string' 'inbound-secret-1' GET '/api/v1/inbound/transactions/REF%2F2?verbose=1' \
  2026-03-01T12:00:00.5Z nonce~with!signs '' empty
for body in plain unicode whitespace bytes; do
  inbound_signed "name enquiry, $body body" 'inbound-secret-2' POST /api/v1/inbound/name-enquiry \
    2026-03-01T12:00:00+00:00 "nonce-$body" '' "$body"
done
end

begin inbound-write
for body in $BODIES; do
  inbound_signed "credit, $body body" 'inbound-secret-1' POST /api/v1/inbound/credit 2026-03-01T12:00:00Z \
    "nonce-$body" "idem-$body" "$body"
done
end

begin service
service_signed 'no query' 'service-secret-1' GET /api/v1/subscribers/sub_1 '' 1772366400
service_signed 'query' 'service-secret-1' GET /api/v1/subscribers 'limit=10&search=a%7Cb&q=what?' 1772366400
service_signed 'another method' 'service-secret-2 é' DELETE /api/v1/admin/api-keys/key_1 '' 1772366401
end

# The raw body alone.
begin webhook-in
for body in $BODIES; do
  vector "name=$body body" 'secret=webhook-secret-1' "body_base64=$(base64_of_file "$work/$body")" \
    "signature=$(hmac_of_file webhook-secret-1 "$work/$body")"
done
end

# TIMESTAMP . RAW_BODY
begin webhook-out
for body in $BODIES; do
  { printf '2026-03-01T12:00:00.000Z.'; cat "$work/$body"; } >"$work/signed"
  vector "name=$body body" 'secret=hook-secret-1' 'timestamp=2026-03-01T12:00:00.000Z' \
    "body_base64=$(base64_of_file "$work/$body")" "string_to_sign_base64=$(base64_of_file "$work/signed")" \
    "signature=$(hmac_of_file hook-secret-1 "$work/signed")"
done
end
