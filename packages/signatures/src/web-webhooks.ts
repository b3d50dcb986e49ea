// Verifies webhooks' signatures from the service over WebCrypto.
import { STANDARD_PREFIX, standardSignedText, webhookSignedText } from './unsigned.ts';
import { type Bytes, concat, fromBase64, hex, hmacKey, hmacMatches, utf8 } from './web-crypto.ts';

/** Whether one of the secrets made one of the signatures. Tries all, so that the time does not show which matched. */
export async function isHookSigned(
  { timestamp, body }: { timestamp: string; body: Bytes },
  secrets: readonly string[],
  signatures: readonly string[],
): Promise<boolean> {
  const signed = concat(utf8(webhookSignedText(timestamp)), body);
  const keys = await Promise.all(secrets.map(hmacKey));
  const checks = keys.flatMap((key) => signatures.map((signature) => hmacMatches(key, signature, signed)));
  return (await Promise.all(checks)).includes(true);
}

/** The same for the header Webhook-Signature of Standard Webhooks, which may have several signatures. */
export async function isStandardSigned(
  { id, timestamp, body }: { id: string; timestamp: string; body: Bytes },
  secrets: readonly string[],
  header: string,
): Promise<boolean> {
  const signed = concat(utf8(standardSignedText({ id, timestamp })), body);
  const found = header.split(' ').flatMap((each) => (each.startsWith('v1,') ? [fromBase64(each.slice(3))] : []));
  const signatures = found.flatMap((bytes) => (bytes === null ? [] : [hex(bytes)]));
  const keys = await Promise.all(secrets.map(async (secret) => hmacKey(standardKey(secret))));
  const checks = keys.flatMap((key) => signatures.map((signature) => hmacMatches(key, signature, signed)));
  return (await Promise.all(checks)).includes(true);
}

/** A secret that begins with whsec_ is base64; any other is used as it is. */
function standardKey(secret: string): Bytes {
  if (!secret.startsWith(STANDARD_PREFIX)) return utf8(secret);
  return fromBase64(secret.slice(STANDARD_PREFIX.length)) ?? utf8(secret);
}
