// Reads the request to sign or explain, from command-line arguments or from a file with the raw request.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HttpRequest } from '@kissi/signatures/node';
import { UsageError } from '../errors.ts';

/** Header names are case-insensitive; these are normalized to the spelling used in the documentation. */
const KNOWN_HEADERS = [
  ...['X-API-Key-ID', 'X-Partner-ID', 'X-Timestamp', 'X-Nonce', 'X-Idempotency-Key', 'X-Signature', 'Host'],
  ...['X-Service-Name', 'X-Service-Timestamp', 'X-Service-Signature', 'X-Webhook-Signature', 'Content-Length'],
];

/** npm runs scripts in the package directory; INIT_CWD is the directory from which npm was called. */
export function readBytes(path: string): Buffer {
  try {
    return path === '-' ? readFileSync(0) : readFileSync(resolve(process.env.INIT_CWD ?? '.', path));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Takes lines of the form "Name: value" and trims white space around the value, as HTTP does. */
export function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new UsageError(`"${line}" is not a header: write it as "Name: value".`);
    const name = line.slice(0, colon).trim();
    const known = KNOWN_HEADERS.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
    headers[known ?? name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** Parses a raw HTTP request. Also accepts the output of curl -v, which puts "> " before the request line and headers. */
export function readRequest(path: string): HttpRequest {
  const bytes = readBytes(path);
  const text = bytes.toString('latin1');
  const headEnd = /\r?\n(?:> ?)?\r?\n/.exec(text);
  const head = (headEnd ? text.slice(0, headEnd.index) : text).replace(/\r?\n$/, '');
  const [requestLine = '', ...lines] = head.split(/\r?\n/).map((line) => line.replace(/^> /, ''));
  const [method, address] = requestLine.split(' ');
  if (!method || !address) throw new UsageError(`${path} does not start with a request line: METHOD PATH HTTP/1.1.`);
  const headers = readHeaders(lines);
  const body = headEnd ? bytes.subarray(headEnd.index + headEnd[0].length) : Buffer.alloc(0);
  return {
    method,
    target: address.replace(/^https?:\/\/[^/]+/, ''),
    headers,
    body: trimToContentLength(body, headers),
  };
}

/** Editors add a line feed at the end of a file; Content-Length tells whether it is part of the body. */
function trimToContentLength(body: Buffer, headers: Record<string, string>): Buffer {
  const length = Number(headers['Content-Length'] ?? body.length);
  if (body.length < length) {
    throw new UsageError(
      `The body has ${body.length} bytes, but Content-Length says ${length}: the file is incomplete.`,
    );
  }
  return body.subarray(0, length);
}
