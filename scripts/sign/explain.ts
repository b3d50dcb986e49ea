// Why a signed request is not believed: what the server expects to be signed, and where what was signed departs from it.
import { createHmac } from 'node:crypto';
import { hmac, hmacHex, signatureMatches } from '../../src/auth/signatures/canonical.ts';
import {
  INBOUND_WINDOW_MS,
  parseRfc3339,
  parseRfc3339Utc,
  parseUnixSeconds,
  SIGNATURE_WINDOW_MS,
} from '../../src/auth/signatures/timestamps.ts';
import { difference, numbered } from './difference.ts';
import { mistakes } from './mistakes.ts';
import type { Scheme, Sent } from './schemes.ts';

export interface Explanation {
  text: string;
  /** Whether the server would have believed it now, as far as that can be told from here. */
  believed: boolean;
}

/** `mine`: the string that the integrator's code signed, where it was kept. */
export function explain(scheme: Scheme, sent: Sent, secret: string, mine?: Buffer): Explanation {
  const expected = scheme.canonical(sent);
  if (expected === null) return { believed: false, text: 'A raw | in the path is always refused: send %7C.' };
  const given = sent.headers[scheme.signatureHeader];
  const missing = scheme.required.filter((name) => !sent.headers[name]);
  const right = signatureMatches(hmac(secret, expected), given);
  const late = timeFault(scheme, sent);
  const text = [
    `Scheme ${scheme.name}: HMAC-SHA256, in hex, over ${scheme.signs}.`,
    `The server expects this string (⏎ is a line feed):\n${numbered(expected)}`,
    `${scheme.signatureHeader} expected: ${hmacHex(secret, expected)}\n${scheme.signatureHeader} given:    ${given ?? '(none)'}`,
    right ? 'The signature is right.' : whyWrong(scheme, { sent, secret, expected, given, mine }),
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...(late ? [late] : []),
  ];
  return { text: text.join('\n\n'), believed: right && missing.length === 0 && late === null };
}

interface Wrong {
  sent: Sent;
  secret: string;
  expected: Buffer;
  given: string | undefined;
  mine: Buffer | undefined;
}

function whyWrong(scheme: Scheme, { sent, secret, expected, given, mine }: Wrong): string {
  if (mine) {
    if (!mine.equals(expected)) return difference(expected, mine);
    return 'The strings are the same, so the signature was made with another secret, or is not the HMAC-SHA256 of it.';
  }
  if (given === undefined) return 'There is no signature to look at.';
  if (given === hmac(secret, expected).toString('base64'))
    return 'The signature is right, but in base64: write it in hex.';
  if (!/^[0-9a-f]{64}$/i.test(given)) return 'The signature given is not 64 hex digits.';
  const found = mistakes(scheme, sent, secret).find((mistake) =>
    isMade(mistake.secret ?? secret, mistake.signed, given),
  );
  if (!found) return UNKNOWN;
  const cause = `The signature is what comes out when ${found.says}.`;
  return found.secret ? cause : `${cause}\n${difference(expected, found.signed)}`;
}

function isMade(secret: string | Buffer, signed: Buffer, given: string): boolean {
  return createHmac('sha256', secret).update(signed).digest('hex') === given.toLowerCase();
}

const UNKNOWN =
  'No common mistake gives this signature. Either it was made with another secret, or of a string that departs in more than one\n' +
  'place: write the string that your code signs to a file and give it with --mine FILE.';

function timeFault({ name, timestampHeader }: Scheme, { headers }: Sent): string | null {
  const text = timestampHeader && headers[timestampHeader];
  if (!text) return null;
  const read = { inbound: parseRfc3339Utc, service: parseUnixSeconds }[name as string] ?? parseRfc3339;
  const [at, windowMs] = [read(text), name === 'inbound' ? INBOUND_WINDOW_MS : SIGNATURE_WINDOW_MS];
  const wanted = name === 'service' ? 'Unix seconds' : `RFC 3339${name === 'inbound' ? ' in UTC, with Z' : ''}`;
  if (at === null) return `${timestampHeader} "${text}" is not a time as this scheme has it: ${wanted}.`;
  const off = Date.now() - at;
  if (Math.abs(off) <= windowMs) return null;
  const seconds = Math.round(Math.abs(off) / 1_000);
  const side = off > 0 ? 'behind' : 'ahead of';
  return `${timestampHeader} is ${seconds} s ${side} the clock of this machine; the window is ${windowMs / 60_000} minutes either way.`;
}
