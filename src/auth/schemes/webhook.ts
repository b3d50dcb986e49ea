// Authentication of incoming webhooks: those of partners and of the messaging platform.
import { hmac, signatureMatches } from '@kissi/signatures/node';
import { refuse } from '../../kernel/refusal.ts';
import { PUBLIC_CALLER } from '../caller.ts';
import { type Authentication, header } from './scheme.ts';

/** Authenticates the holder of the configured secret. The scheme has neither a timestamp nor a sender name. */
export function webhookAuthentication(name: string, secret: string | undefined): Authentication {
  return {
    name: 'webhook',
    needsBody: true,
    async authenticate({ headers, rawBody }) {
      if (secret === undefined) return refuse('INTERNAL_ERROR', 'This webhook is not configured.');
      const signature = header(headers, 'x-webhook-signature');
      if (signature === undefined) return refuse('UNAUTHORIZED', 'The header X-Webhook-Signature is missing.');
      if (!verifyWebhookSignature(secret, rawBody, signature)) {
        return refuse('INVALID_SIGNATURE', "X-Webhook-Signature is not this body's signature.");
      }
      return { kind: 'service', id: name };
    },
  };
}

/**
 * Authenticates the messaging platform by the app secret. If no secret is configured, `unsigned` decides whether
 * unsigned messages are accepted.
 */
export function hubAuthentication(secret: string | undefined, { unsigned }: { unsigned: boolean }): Authentication {
  return {
    name: 'hub',
    needsBody: true,
    async authenticate({ headers, rawBody }) {
      if (secret === undefined) {
        return unsigned ? PUBLIC_CALLER : refuse('INTERNAL_ERROR', 'This webhook is not configured.');
      }
      const signature = header(headers, 'x-hub-signature-256');
      if (signature === undefined) return refuse('UNAUTHORIZED', 'The header X-Hub-Signature-256 is missing.');
      const [, hex] = /^sha256=(.*)$/.exec(signature) ?? [];
      if (!signatureMatches(hmac(secret, rawBody), hex)) {
        return refuse('INVALID_SIGNATURE', "X-Hub-Signature-256 is not this body's signature.");
      }
      return { kind: 'service', id: 'messaging-platform' };
    },
  };
}

/** X-Webhook-Signature covers the raw body: verify before parsing. */
export function verifyWebhookSignature(secret: string, rawBody: Buffer, headerValue: string | undefined): boolean {
  return signatureMatches(hmac(secret, rawBody), headerValue);
}
