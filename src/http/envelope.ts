// Reply envelopes: the format of refusals for each group of routes; security headers and request ids.
import { Type } from 'typebox';
import { newId } from '../kernel/ids.ts';
import type { Refusal } from '../kernel/refusal.ts';

export interface Envelope {
  name: 'legacy' | 'inbound' | 'webhook' | 'bridge';
  refusal(refusal: Refusal): Record<string, unknown>;
  /** The schema of a refusal, for the OpenAPI document; the legacy envelope adds the fields of REFUSAL_FIELDS. */
  schema: ReturnType<typeof Type.Object>;
}

export const legacyEnvelope: Envelope = {
  name: 'legacy',
  refusal: ({ message, code, details }) => ({ success: false, error: message, code, ...details }),
  schema: Type.Object(
    { success: Type.Literal(false), error: Type.String(), code: Type.String() },
    { title: 'Refusal' },
  ),
};

export const inboundEnvelope: Envelope = {
  name: 'inbound',
  refusal: ({ message, code, details }) => ({ success: false, code, message, ...details }),
  schema: Type.Object(
    {
      success: Type.Literal(false),
      code: Type.String(),
      message: Type.String(),
      data: Type.Optional(
        Type.Object(
          {
            reference: Type.String(),
            status: Type.Enum(['REJECTED', 'FAILED']),
            failure_code: Type.String({ description: 'The same as code.' }),
          },
          { description: 'The outcome recorded for a credit.' },
        ),
      ),
    },
    { title: 'InboundRefusal' },
  ),
};

export const webhookEnvelope: Envelope = {
  name: 'webhook',
  refusal: ({ message }) => ({ success: false, message }),
  schema: Type.Object({ success: Type.Literal(false), message: Type.String() }, { title: 'WebhookRefusal' }),
};

export const bridgeEnvelope: Envelope = {
  name: 'bridge',
  refusal: ({ message }) => ({ error: message, status: 'error' }),
  schema: Type.Object({ error: Type.String(), status: Type.Literal('error') }, { title: 'BridgeRefusal' }),
};

// API replies must not be rendered as pages or cached.
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

export function requestId(raw: { headers: Record<string, string | string[] | undefined> }): string {
  const sentId = raw.headers['x-request-id'];
  return typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : newId('req');
}
