// Webhook signatures: the one that partners put on a cash-in notification, and the one we put on what we send.
import { refuse } from '../kernel/refusal.ts';
import { type Authentication, header } from './authenticate.ts';
import { hmac, hmacHex, signatureMatches, webhookSignedString } from './signatures.ts';

/** Whoever holds the one configured secret; the scheme has no time and no name in it. */
export function webhookAuthentication(name: string, secret: string | undefined): Authentication {
  return {
    name: 'webhook',
    needsBody: true,
    async authenticate({ headers, rawBody }) {
      if (secret === undefined) return refuse('INTERNAL_ERROR', 'This webhook is not configured.');
      const signature = header(headers, 'x-webhook-signature');
      if (signature === undefined) return refuse('UNAUTHORIZED', 'The header X-Webhook-Signature is missing.');
      if (!verifyWebhookSignature(secret, rawBody, signature)) {
        return refuse('INVALID_SIGNATURE', 'X-Webhook-Signature is not the signature of this body.');
      }
      return { kind: 'service', id: name };
    },
  };
}

/** X-Webhook-Signature covers the raw body: verify before parsing. */
export function verifyWebhookSignature(secret: string, rawBody: Buffer, headerValue: string | undefined): boolean {
  return signatureMatches(hmac(secret, rawBody), headerValue);
}

/** The value of X-Hook-Signature; `timestamp` is the value of X-Hook-Timestamp. */
export function signOutboundWebhook(secret: string, timestamp: string, rawBody: Buffer): string {
  return hmacHex(secret, webhookSignedString(timestamp, rawBody));
}
