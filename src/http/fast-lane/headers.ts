// Which requests are ordinary enough for the fast lane, by their headers.
import type { IncomingHttpHeaders } from 'node:http';

/** What a header of these asks for is left to the ordinary server. */
const LEFT_TO_SERVER: ReadonlySet<string> = new Set([
  'content-encoding',
  'expect',
  'http2-settings',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
const CONTENT_LENGTH = /^[1-9]\d{0,4}$/;

export interface OrdinaryHeaders {
  headers: IncomingHttpHeaders;
  contentLength: number;
}

/** The same object that node:http makes of these headers. Null: the request is left to the ordinary server. */
export function ordinaryHeaders(rawHeaders: readonly string[]): OrdinaryHeaders | null {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    // node:http joins some repeated headers and drops others. Inherited names count as repeated too.
    if (headers[name] !== undefined || LEFT_TO_SERVER.has(name)) return null;
    headers[name] = rawHeaders[at + 1] as string;
  }
  const { host, connection, 'content-type': type = '', 'content-length': length = '' } = headers;
  if (host === undefined || (connection !== undefined && connection.toLowerCase() !== 'keep-alive')) return null;
  if (!JSON_TYPE.test(type) || !CONTENT_LENGTH.test(length)) return null;
  return { headers, contentLength: Number(length) };
}
