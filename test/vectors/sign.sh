#!/usr/bin/env bash
# Example for integrators: signs a request with openssl and sends it with curl.
#
#   sign.sh pos|partner|inbound|service METHOD PATH [BODYFILE]
#
# PATH is the full path as sent, with /api/v1 and the query string: /api/v1/pos/verify-card
# From the environment:
#   SECRET           the signing secret of the key (for service: the secret of the service)
#   KEY_ID           the id of the API key (for service: the name of the service)
#   PARTNER_ID       partner: required; inbound: optional
#   IDEMPOTENCY_KEY  inbound writes: one per logical operation, the same on a retry
#   BASE_URL         default http://127.0.0.1:8080
#
# SECRET is an argument of openssl below, so other users of this machine can see it while the script runs:
# use it for experiments, not in production.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
scheme=$1 method=$2 path=$3 body=${4:-/dev/null}
: "${SECRET:?}" "${KEY_ID:?}"
base=${BASE_URL:-http://127.0.0.1:8080}

# The signature: HMAC-SHA256 of standard input in hex; the key is the secret as text.
sign() { openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.*= //'; }

timestamp=$(date -u +%Y-%m-%dT%H:%M:%SZ)
headers=(-H "X-API-Key-ID: $KEY_ID" -H "X-Timestamp: $timestamp")

case $scheme in
  pos | partner)
    # METHOD, PATH, TIMESTAMP and the exact bytes of the body, separated by line feeds; nothing after the body.
    signature=$({ printf '%s\n%s\n%s\n' "$method" "$path" "$timestamp"; cat "$body"; } | sign)
    headers+=(-H "X-Signature: $signature")
    if [ "$scheme" = partner ]; then headers+=(-H "X-Partner-ID: ${PARTNER_ID:?}"); fi
    ;;
  inbound)
    # Six lines; the fifth is empty without an idempotency key; the sixth is the hash of the body. No line feed at the end.
    nonce=$(openssl rand -hex 16) # a new nonce for every request, including retries
    hash=$(openssl dgst -sha256 <"$body" | sed 's/^.*= //')
    signature=$(printf '%s\n%s\n%s\n%s\n%s\n%s' \
      "$method" "$path" "$timestamp" "$nonce" "${IDEMPOTENCY_KEY:-}" "$hash" | sign)
    headers+=(-H "X-Nonce: $nonce" -H "X-Signature: $signature")
    if [ -n "${IDEMPOTENCY_KEY:-}" ]; then headers+=(-H "X-Idempotency-Key: $IDEMPOTENCY_KEY"); fi
    if [ -n "${PARTNER_ID:-}" ]; then headers+=(-H "X-Partner-ID: $PARTNER_ID"); fi
    ;;
  service)
    # METHOD|PATH|QUERY|TIMESTAMP: the query without its question mark, or empty.
    timestamp=$(date +%s)
    query=''
    case $path in *\?*) query=${path#*\?} ;; esac
    signature=$(printf '%s|%s|%s|%s' "$method" "${path%%\?*}" "$query" "$timestamp" | sign)
    headers=(-H "X-Service-Name: $KEY_ID" -H "X-Service-Timestamp: $timestamp" -H "X-Service-Signature: $signature")
    ;;
  *)
    echo "Unknown scheme $scheme: use pos, partner, inbound or service." >&2
    exit 2
    ;;
esac

# --data-binary sends the bytes that were signed; --data would drop the line feeds.
if [ $# -ge 4 ]; then headers+=(-H 'Content-Type: application/json' --data-binary "@$body"); fi
# --path-as-is and --globoff: curl must send the path exactly as signed.
exec curl -sS --path-as-is --globoff -X "$method" "${headers[@]}" "$base$path"
