// The introduction to the OpenAPI document and the documentation page. Tests run its commands.

const AUTHENTICATION = `# Authentication

Each operation says which of these schemes it accepts. Set \`HOST\` to the address of the service. Secrets and bearer values are
shown once, when they are issued.

**Staff** log in and send the access token, which is valid for 15 minutes. A user with a second factor gets
\`SECOND_FACTOR_REQUIRED\` and finishes the login with \`POST /api/v1/admin/login/second-factor\`.

\`\`\`sh
TOKEN=$(curl -s $HOST/api/v1/admin/login -H 'Content-Type: application/json' \\
  -d "{\\"email\\": \\"$EMAIL\\", \\"password\\": \\"$PASSWORD\\"}" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -s $HOST/api/v1/admin/me -H "Authorization: Bearer $TOKEN"
\`\`\`

**API keys** without an owner send their bearer value:

\`\`\`sh
curl -s "$HOST/api/v1/subscribers?limit=10" -H "Authorization: Bearer $API_KEY"
\`\`\`

**Terminals and apps** sign with their API key's secret:

\`\`\`sh
BODY='{"card_serial": "04:A1:B2:C3"}'
NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ)
SIGNATURE=$(printf 'POST\\n/api/v1/pos/verify-card\\n%s\\n%s' "$NOW" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl -s $HOST/api/v1/pos/verify-card -H 'Content-Type: application/json' -d "$BODY" \\
  -H "X-API-Key-ID: $KEY_ID" -H "X-Timestamp: $NOW" -H "X-Signature: $SIGNATURE"
\`\`\`

**Partners** sign requests in the same way and identify themselves:

\`\`\`sh
BODY='{"phone_number": "+23276345678"}'
NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ)
SIGNATURE=$(printf 'POST\\n/api/v1/partner/account-status\\n%s\\n%s' "$NOW" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl -s $HOST/api/v1/partner/account-status -H 'Content-Type: application/json' -d "$BODY" \\
  -H "X-API-Key-ID: $KEY_ID" -H "X-Partner-ID: $PARTNER_ID" -H "X-Timestamp: $NOW" -H "X-Signature: $SIGNATURE"
\`\`\`

**Partner banks** on the inbound API also send a nonce, and an idempotency key where the operation asks for one:

\`\`\`sh
BODY='{"msisdn": "+23276345678", "currency": "SLE"}'
NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ)
NONCE=$(openssl rand -hex 16)
HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
SIGNATURE=$(printf 'POST\\n/api/v1/inbound/name-enquiry\\n%s\\n%s\\n\\n%s' "$NOW" "$NONCE" "$HASH" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl -s $HOST/api/v1/inbound/name-enquiry -H 'Content-Type: application/json' -d "$BODY" \\
  -H "X-API-Key-ID: $KEY_ID" -H "X-Timestamp: $NOW" -H "X-Nonce: $NONCE" -H "X-Signature: $SIGNATURE"
\`\`\`

**The operator's own services** sign method, path, query and Unix seconds:

\`\`\`sh
NOW=$(date +%s)
SIGNATURE=$(printf 'GET|/api/v1/subscribers/%s||%s' "$SUBSCRIBER_ID" "$NOW" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl -s $HOST/api/v1/subscribers/$SUBSCRIBER_ID -H "X-Service-Name: $NAME" -H "X-Service-Timestamp: $NOW" -H "X-Service-Signature: $SIGNATURE"
\`\`\`

The security schemes describe each signature exactly, with a worked example. Webhook signatures are described
with the webhooks.

**Permissions.** Each operation says which roles and scopes may call it. Agents' and processors' users, and a partner's
or processor's keys, act for their own account only.`;

const CONVENTIONS = `# Conventions

**Amounts** are integers in minor units: 12500 is 125.00 SLE. **Times** are ISO 8601 in UTC.

**Input.** In a body, null for an optional field means that the field is absent; in metadata, null is a value. Unknown
query parameters are refused with 400. Unknown fields in a body are ignored; on routes that move money or change a
record, the header Kissi-Ignored-Fields names them, and one that looks like a misspelling of a missing field is
refused with 400. In narrations, descriptions and reasons,
control characters and line breaks become a single space, and blank text means absent. PUT accepts the record that GET
returned: read-only fields may be sent while they are unchanged.

**Idempotency.** A payment that is sent again with the same request_id (inbound API: reference) returns the first reply
and moves no money. The reply then has the header Idempotent-Replayed: true. After a timeout, send the same request
again.

**Approvals.** Where a policy requires a second user, a request is answered with 202 and the pending approval. Nothing
is executed until another user approves it.

**CSV.** Every list is also available as a CSV file: send Accept: text/csv. Amounts are then in leones with two decimals. The file has every record that matches the filter; limit, offset and
cursor do not apply. It is UTF-8 with CRLF line endings (RFC 4180) and a header row with the names of the JSON fields. Lists
and objects are JSON text. Text that a spreadsheet would execute as a formula gets a leading apostrophe. A file is
complete only if the connection ends normally: an export that fails resets the connection.

**Errors** have a code that does not change and a sentence that may. A request answered with 503 changed nothing; retry it
after the number of seconds in Retry-After. Each operation lists its codes by status, and the additional fields of a code.

**Compatibility.** Later versions may add fields to replies, values to enumerations and error codes to operations.
Ignore what you do not know.`;

export const INTRODUCTION = `Wallets, cards, agents, merchants and partner banks. The page [/docs](/docs/) shows this reference and,
in the menu at the top, the guides. It is generated from the [OpenAPI document](/openapi.json).

${AUTHENTICATION}

${CONVENTIONS}
`;
