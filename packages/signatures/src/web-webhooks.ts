// Verifies webhooks' signatures from the service over WebCrypto.
import { webhookSignedText } from './unsigned.ts';
import { type Bytes, concat, hmacKey, hmacMatches, utf8 } from './web-crypto.ts';

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
