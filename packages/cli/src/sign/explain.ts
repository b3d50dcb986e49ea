// Explains why the server rejects a signed request: the string it expects, and how the signed string differs from it.
import {
  commonMistakes,
  type HttpRequest,
  hmac,
  hmacHex,
  INBOUND_WINDOW_MS,
  parseRfc3339,
  parseRfc3339Utc,
  parseUnixSeconds,
  type Scheme,
  SIGNATURE_WINDOW_MS,
  signatureMatches,
} from '@kissi/signatures/node';
import { describeDifference, numberedLines } from './byte-diff.ts';

export interface Explanation {
  text: string;
  /** Whether the server would accept the request now, as far as the tool can check: it does not know keys or used nonces. */
  valid: boolean;
}

/** `signedString` is the string that the integrator's code signed, if known. */
export function explain(scheme: Scheme, request: HttpRequest, secret: string, signedString?: Buffer): Explanation {
  const expected = scheme.signedString(request);
  if (expected === null) return { valid: false, text: 'A raw | in the path is always rejected: send %7C.' };
  const given = request.headers[scheme.signatureHeader];
  const missing = scheme.requiredHeaders.filter((name) => !request.headers[name]);
  const isCorrect = signatureMatches(hmac(secret, expected), given);
  const timestampProblem = timestampError(scheme, request);
  const text = [
    `Scheme ${scheme.name}: HMAC-SHA256 in hex of ${scheme.description}.`,
    `The server expects this string (⏎ is a line feed):\n${numberedLines(expected)}`,
    `${scheme.signatureHeader} expected: ${hmacHex(secret, expected)}\n${scheme.signatureHeader} given:    ${given ?? '(none)'}`,
    isCorrect
      ? 'The signature is correct.'
      : explainMismatch(scheme, { request, secret, expected, given, signedString }),
    ...(missing.length > 0 ? [`Missing headers: ${missing.join(', ')}.`] : []),
    ...(timestampProblem ? [timestampProblem] : []),
  ];
  return { text: text.join('\n\n'), valid: isCorrect && missing.length === 0 && timestampProblem === null };
}

interface Mismatch {
  request: HttpRequest;
  secret: string;
  expected: Buffer;
  given: string | undefined;
  signedString: Buffer | undefined;
}

function explainMismatch(scheme: Scheme, { request, secret, expected, given, signedString }: Mismatch): string {
  if (signedString) {
    if (!signedString.equals(expected)) return describeDifference(expected, signedString);
    return 'Your string is the expected one: the signature was made with another secret, or is not its HMAC-SHA256.';
  }
  if (given === undefined) return 'The request has no signature.';
  if (given === hmac(secret, expected).toString('base64'))
    return 'The signature is correct but encoded in base64: encode it in hex.';
  if (!/^[0-9a-f]{64}$/i.test(given)) return 'The signature given is not 64 hex digits.';
  const found = commonMistakes(scheme, request, secret).find((mistake) =>
    producesSignature(mistake.secret ?? secret, mistake.signedString, given),
  );
  if (!found) return NO_KNOWN_MISTAKE;
  const cause = `Cause: ${found.description}.`;
  return found.secret ? cause : `${cause}\n${describeDifference(expected, found.signedString)}`;
}

function producesSignature(secret: string | Buffer, signedString: Buffer, given: string): boolean {
  return hmacHex(secret, signedString) === given.toLowerCase();
}

const NO_KNOWN_MISTAKE =
  'No common mistake produces this signature. Either it was made with another secret, or the signed string has several\n' +
  'differences: write the string that your code signs to a file and pass it with --signed-string FILE.';

function timestampError({ name, timestampHeader }: Scheme, { headers }: HttpRequest): string | null {
  const text = timestampHeader && headers[timestampHeader];
  if (!text) return null;
  const parse = { inbound: parseRfc3339Utc, service: parseUnixSeconds }[name as string] ?? parseRfc3339;
  const [at, windowMs] = [parse(text), name === 'inbound' ? INBOUND_WINDOW_MS : SIGNATURE_WINDOW_MS];
  const format = name === 'service' ? 'Unix seconds' : `RFC 3339${name === 'inbound' ? ' in UTC, with Z' : ''}`;
  if (at === null) return `${timestampHeader} "${text}" does not have the format of this scheme: ${format}.`;
  const offsetMs = Date.now() - at;
  if (Math.abs(offsetMs) <= windowMs) return null;
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  const direction = offsetMs > 0 ? 'behind' : 'ahead of';
  return `${timestampHeader} is ${seconds} s ${direction} this machine's clock; the tolerance is ${windowMs / 60_000} minutes in either direction.`;
}
