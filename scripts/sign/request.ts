// Reads a request: from what was said on the command line, or from a file that holds it as it was sent.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Sent, Unsaid } from './schemes.ts';

/** The names that matter, as documents write them: headers come in any case. */
const NAMES = [
  ...['X-API-Key-ID', 'X-Partner-ID', 'X-Timestamp', 'X-Nonce', 'X-Idempotency-Key', 'X-Signature', 'Host'],
  ...['X-Service-Name', 'X-Service-Timestamp', 'X-Service-Signature', 'X-Webhook-Signature', 'Content-Length'],
];

/** npm runs scripts in the folder of the package, whatever folder they were called from. */
export function readBytes(path: string): Buffer {
  try {
    return path === '-' ? readFileSync(0) : readFileSync(resolve(process.env.INIT_CWD ?? '.', path));
  } catch (error) {
    throw new Unsaid(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Each as "Name: value"; a value is taken without the blanks around it, as HTTP does. */
export function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Unsaid(`"${line}" is no header: write it as "Name: value".`);
    const name = line.slice(0, colon).trim();
    const known = NAMES.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
    headers[known ?? name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Request line, headers, an empty line, the body; also as curl -v prints it, with "> " before each line of the head. */
export function readRequest(path: string): Sent {
  const bytes = readBytes(path);
  const text = bytes.toString('latin1');
  const end = /\r?\n(?:> ?)?\r?\n/.exec(text);
  const head = (end ? text.slice(0, end.index) : text).replace(/\r?\n$/, '');
  const [first = '', ...lines] = head.split(/\r?\n/).map((line) => line.replace(/^> /, ''));
  const [method, address] = first.split(' ');
  if (!method || !address) throw new Unsaid(`${path} does not begin with a request line: METHOD PATH HTTP/1.1.`);
  const headers = readHeaders(lines);
  const body = end ? bytes.subarray(end.index + end[0].length) : Buffer.alloc(0);
  return { method, target: address.replace(/^https?:\/\/[^/]+/, ''), headers, body: asSent(body, headers) };
}

/** An editor ends a file with a line feed; Content-Length says whether it was sent. */
function asSent(body: Buffer, headers: Record<string, string>): Buffer {
  const length = Number(headers['Content-Length'] ?? body.length);
  if (body.length < length) {
    throw new Unsaid(`The body has ${body.length} bytes, but Content-Length says ${length}: it is not as it was sent.`);
  }
  return body.subarray(0, length);
}
