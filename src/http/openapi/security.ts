// Security schemes of the OpenAPI document: what each signature covers, with a worked example from test/vectors.
import type { RouteGroup } from '../endpoint.ts';

export const SECURITY: Record<RouteGroup['authentication']['name'], Record<string, string[]>[]> = {
  none: [],
  bearer: [{ bearer: [] }],
  'bearer-or-service': [{ bearer: [] }, { serviceName: [], serviceTimestamp: [], serviceSignature: [] }],
  'bearer-or-signed': [{ bearer: [] }, { keyId: [], timestamp: [], signature: [] }],
  pos: [{ keyId: [], timestamp: [], signature: [] }],
  partner: [{ keyId: [], partnerId: [], timestamp: [], partnerSignature: [] }],
  inbound: [{ keyId: [], inboundTimestamp: [], nonce: [], inboundSignature: [] }],
  webhook: [{ webhookSignature: [] }],
  metrics: [{}, { metricsToken: [] }],
  hub: [{ hubSignature: [] }],
  'same-origin': [{ consoleSession: [] }],
  // The secret is a parameter of the path.
  'path-secret': [],
};

const apiKeyHeader = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const;

interface Example {
  secret: string;
  signed: string;
  signature: string;
}

const BODY = '{"amount":2500,"card_serial":"CARD-0001","request_id":"r-1"}';
const BODY_SHA256 = '34757e0f0258c69ce8ef0738cf710dc140b70187a5bd61ee5fa4ed615523c6ff';

/** A test verifies each of them, as it is printed, against the code that authenticates requests. */
function worked({ secret, signed, signature }: Example): string {
  return `Example: with the secret \`${secret}\`, the signature of

\`\`\`text
${signed}
\`\`\`

is \`${signature}\`. The text ends without a line feed.`;
}

const FOUR_LINES = `Lower-case hexadecimal HMAC-SHA256, keyed with the text of the secret, of these four parts joined by line feeds:

1. the method
2. the path with its query string, exactly as sent
3. X-Timestamp, exactly as sent
4. the raw bytes of the body; nothing if there is none`;

const SIGNATURE = `${FOUR_LINES}

${worked({
  secret: 'pos-secret-1',
  signed: `POST\n/api/v1/pos/payment\n2026-03-01T12:00:00Z\n${BODY}`,
  signature: 'b1f826552e31a9ea4fe2917a8134e21419e9c744c8ef0fa8eac2990150e02dc3',
})}`;

const PARTNER_SIGNATURE = `${FOUR_LINES}

${worked({
  secret: 'partner-secret-1',
  signed: `POST\n/api/v1/partner/cashin\n2026-03-01T12:00:00Z\n${BODY}`,
  signature: 'e5f2b9a9201a75f45513aebcbabcfc88d1806bec6a0261fffba92bfe6b425c73',
})}`;

const INBOUND_SIGNATURE = `Lower-case hexadecimal HMAC-SHA256, keyed with the text of the secret, of these six lines joined by line feeds:

1. the method
2. the path with its query string, exactly as sent
3. X-Timestamp, exactly as sent
4. X-Nonce
5. X-Idempotency-Key; an empty line if the operation has none
6. the lower-case hexadecimal SHA-256 of the raw body

${worked({
  secret: 'inbound-secret-1',
  signed: `POST\n/api/v1/inbound/credit\n2026-03-01T12:00:00Z\nnonce-plain\nidem-plain\n${BODY_SHA256}`,
  signature: '3e2774d94cdd0dd39381acb5efe4bac1ba637c515d9b0a6ce5900b9b14062a08',
})}

Line 6 is the hash of \`${BODY}\`.`;

const SERVICE_SIGNATURE = `Lower-case hexadecimal HMAC-SHA256, keyed with the secret of the service, of \`METHOD|PATH|QUERY|TIMESTAMP\`. QUERY is
empty if there is none. To cover the body too, add its hexadecimal SHA-256 to the query as \`body_sha256\`; some routes
require it.

${worked({
  secret: 'service-secret-1',
  signed: 'GET|/api/v1/subscribers/sub_1||1772366400',
  signature: '0f3f61774c319f0ca32a8f86b82928d340df3f270c1d715a2ae8b03bff899cbe',
})}`;

const WEBHOOK_SIGNATURE = `Lower-case hexadecimal HMAC-SHA256 of the raw body, keyed with PARTNER_CASHIN_WEBHOOK_SECRET.

${worked({
  secret: 'webhook-secret-1',
  signed: BODY,
  signature: 'e34f7c837d5840fcdc7711a819a57c012e4e21c18d1a88c9f49e7c75f9567bc3',
})}`;

const HUB_SIGNATURE = `\`sha256=\` and the lower-case hexadecimal HMAC-SHA256 of the raw body, keyed with MESSAGING_APP_SECRET. Calculated as in
the example of X-Webhook-Signature.`;

/** For the description of outbound webhooks. */
export const HOOK_SIGNATURE = `Lower-case hexadecimal HMAC-SHA256, keyed with the partner's webhook secret, of X-Hook-Timestamp, a full stop and
the raw body.

${worked({
  secret: 'hook-secret-1',
  signed: `2026-03-01T12:00:00.000Z.${BODY}`,
  signature: '91d46caf7ef5fc57578c95a44117ff0fff22779d22cfb2ab0db66978cdc59f2f',
})}`;

export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access token of a user, from POST /api/v1/admin/login (valid for 15 minutes), or an API key that was issued with a bearer value (`svc_…`).',
  },
  keyId: apiKeyHeader('X-API-Key-ID', 'The id of the API key (`key_…`), not its bearer value.'),
  timestamp: apiKeyHeader(
    'X-Timestamp',
    "RFC 3339, with any offset. Within 5 minutes of the server's time, else EXPIRED_TIMESTAMP.",
  ),
  signature: apiKeyHeader('X-Signature', SIGNATURE),
  partnerId: apiKeyHeader('X-Partner-ID', 'The id of the partner the API key belongs to.'),
  partnerSignature: apiKeyHeader('X-Signature', PARTNER_SIGNATURE),
  inboundTimestamp: apiKeyHeader(
    'X-Timestamp',
    "RFC 3339 in UTC. Within 2 minutes of the server's time, else STALE_REQUEST.",
  ),
  nonce: apiKeyHeader(
    'X-Nonce',
    '1 to 128 visible ASCII characters, such as a UUID. Every request needs a new one, retries included; otherwise REPLAYED_REQUEST.',
  ),
  inboundSignature: apiKeyHeader('X-Signature', INBOUND_SIGNATURE),
  serviceName: apiKeyHeader('X-Service-Name', 'The name of the calling service, as in SERVICE_SECRETS.'),
  serviceTimestamp: apiKeyHeader(
    'X-Service-Timestamp',
    "Unix seconds. Within 5 minutes of the server's time, else EXPIRED_TIMESTAMP.",
  ),
  serviceSignature: apiKeyHeader('X-Service-Signature', SERVICE_SIGNATURE),
  webhookSignature: apiKeyHeader('X-Webhook-Signature', WEBHOOK_SIGNATURE),
  hubSignature: apiKeyHeader('X-Hub-Signature-256', HUB_SIGNATURE),
  consoleSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'kissi_session',
    description: 'For the console only: the refresh token in a cookie that scripts cannot read.',
  },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The METRICS_TOKEN of the configuration.' },
} as const;
