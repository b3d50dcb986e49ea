// Webhook signatures: the one that partners put on a cash-in notification, and the one we put on what we send.
import { hmac, hmacHex, signatureMatches, webhookSignedString } from './signatures.ts';

/** X-Webhook-Signature covers the raw body: verify before parsing. */
export function verifyWebhookSignature(secret: string, rawBody: Buffer, headerValue: string | undefined): boolean {
  return signatureMatches(hmac(secret, rawBody), headerValue);
}

/** The value of X-Hook-Signature; `timestamp` is the value of X-Hook-Timestamp. */
export function signOutboundWebhook(secret: string, timestamp: string, rawBody: Buffer): string {
  return hmacHex(secret, webhookSignedString(timestamp, rawBody));
}
