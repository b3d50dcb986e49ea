// Request and response schemas of API keys.
import { type Static, Type } from 'typebox';
import { LIMITED_SCOPES, OPERATOR_SCOPES, SCOPES } from '../../../auth/roles.ts';
import { idField, line, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { amountField } from '../../../http/payment-endpoint.ts';
import { putBody } from '../../../http/put.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { iso } from '../../../kernel/clock.ts';
import { visiblePrefix } from './credentials.ts';
import type { ApiKeyRow } from './store.ts';

const MAX_RATE_LIMIT = 100_000;
const nullableText = () => Type.Union([Type.String(), Type.Null()]);

const keyFields = {
  id: Type.String({ description: 'Sent as X-API-Key-ID with signed requests.' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the bearer value.' }),
  bearer: Type.Boolean({ description: 'Whether a bearer value was issued. Without one, the key only signs requests.' }),
  scopes: Type.Array(Type.Enum(SCOPES)),
  partner_id: nullableText(),
  processor_id: nullableText(),
  rate_limit: Type.Union([Type.Integer(), Type.Null()]),
  daily_limit: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What the key may move in one UTC day, in minor units. Null: it has none of the scopes that need one.',
  }),
  approval_id: Type.Union([Type.String(), Type.Null()], {
    description:
      'The approval under which the key was created: under an approval policy it acts up to its daily_limit. Null: it was created or rotated without one.',
  }),
  expires_at: Type.Union([timestamp(), Type.Null()]),
  created_at: timestamp(),
};
// Without revoked_at: credentials are never returned for a revoked key.
const issuedKey = Type.Object(keyFields, { title: 'IssuedApiKey' });
export const keyRecord = Type.Object(
  { ...keyFields, revoked_at: Type.Union([timestamp(), Type.Null()]) },
  { title: 'ApiKey' },
);

export const createKeyBody = Type.Object({
  name: line(),
  // The service validates the scopes, so that the error can name the unknown one.
  scopes: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: 64,
    description: `Any of ${SCOPES.join(', ')}. With partner_id or processor_id, none of ${OPERATOR_SCOPES.join(', ')}.`,
  }),
  expires_at: Type.Optional(timestamp()),
  partner_id: Type.Optional({
    ...line(64),
    description: 'The key acts for this partner alone, whatever its scopes. Not together with processor_id.',
  }),
  processor_id: Type.Optional({
    ...line(64),
    description: 'The key acts for this processor alone, whatever its scopes. Not together with partner_id.',
  }),
  bearer: Type.Optional(
    Type.Boolean({
      description:
        'Whether to issue a bearer value. Default: true for a key without partner_id and processor_id, otherwise false.',
    }),
  ),
  rate_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RATE_LIMIT,
      description: 'Requests per second.',
      [ERROR_MESSAGE]: `must be a whole number from 1 to ${MAX_RATE_LIMIT}`,
    }),
  ),
  daily_limit: Type.Optional(
    amountField(
      `What the key may move in one UTC day, in minor units. Required with the scopes ${LIMITED_SCOPES.join(' and ')}, and only for them.`,
    ),
  ),
});
export type NewKey = Static<typeof createKeyBody>;

const shownOnce = {
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The bearer value, shown once; null for a key without one.',
  }),
  secret: Type.String({ description: 'Signs HMAC requests. Shown once.' }),
};

export const createKeyReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  api_key: issuedKey,
  ...shownOnce,
});

const changes = Type.Object({
  name: Type.Optional(line()),
  scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 64,
      description: 'The scopes the key keeps. None can be added.',
    }),
  ),
  expires_at: Type.Optional(
    Type.String({ description: "ISO 8601, UTC; in the future, and not later than the key's current expiry." }),
  ),
  daily_limit: Type.Optional(amountField('Minor units, and not more than now: it can only be reduced.')),
});
export type KeyChanges = Static<typeof changes>;
export const updateKeyBody = putBody(changes, keyRecord);
export const updateKeyReply = Type.Object({ success: Type.Literal(true), message: Type.String(), api_key: keyRecord });

export const rotateKeyQuery = Type.Object({
  overlap_seconds: Type.Optional(
    Type.String({
      pattern: '^\\d{1,7}$',
      description: 'How long the previous credentials remain valid, in seconds; 0 ends them at once.',
      [ERROR_MESSAGE]: 'must be a whole number with at most 7 digits',
    }),
  ),
});

export const rotateKeyReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  api_key: issuedKey,
  ...shownOnce,
  previous_valid_until: timestamp(),
});

export const keysQuery = listQuery({
  partner_id: Type.Optional(idField('a partner')),
  processor_id: Type.Optional(idField('a processor')),
});
export const keysReply = listReply('api_keys', keyRecord);

export function issuedKeyView(key: ApiKeyRow) {
  const { id, name, scopes, partner_id, processor_id, rate_limit, expires_at, created_at, bearer } = key;
  const { daily_limit, approval_id } = key;
  return {
    id,
    name,
    prefix: visiblePrefix(key),
    bearer,
    scopes,
    partner_id,
    processor_id,
    rate_limit,
    daily_limit,
    approval_id,
    expires_at: expires_at && iso(expires_at),
    created_at: iso(created_at),
  };
}

export function keyView(key: ApiKeyRow) {
  return { ...issuedKeyView(key), revoked_at: key.revoked_at && iso(key.revoked_at) };
}
