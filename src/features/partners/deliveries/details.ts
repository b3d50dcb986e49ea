// The details of a delivery attempt: verifies its recorded signature, and makes the reply of the endpoint readable.
import { verifyOutboundWebhook } from '@kissi/signatures/node';
import type { AttemptDetailsRow, DeliveryRow } from './store.ts';

export type AttemptDetails = AttemptDetailsRow & {
  /** Null if there is no signature or no secret to verify it with. */
  signatureValid: boolean | null;
};

export type DeliveryDetails = DeliveryRow & { attemptRows: AttemptDetails[] };

/** Verifies as a receiver does: by the recorded headers and the body, with a secret that is valid now. */
export function withVerdict(row: AttemptDetailsRow, body: string, secrets: readonly string[]): AttemptDetails {
  const headers = row.request_headers as Record<string, string> | null;
  const timestamp = headers?.['X-Hook-Timestamp'];
  if (timestamp === undefined || secrets.length === 0) return { ...row, signatureValid: null };
  const signed = { timestamp, signature: headers?.['X-Hook-Signature'], rawBody: Buffer.from(body) };
  return { ...row, signatureValid: verifyOutboundWebhook(secrets, signed) };
}

// Escape sequences could control a terminal; bidirectional overrides could disguise the text. Line feeds and tabs stay.
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;

/** Bytes that are not UTF-8 become U+FFFD. A character that was cut at the end of `bytes` is left out. */
export function printable(bytes: Buffer): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  return escapeUnprintable(text);
}

export function escapeUnprintable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
