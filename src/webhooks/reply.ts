// Reads the start of a reply to a webhook, in bounded time and memory, whatever the endpoint sends.
import type { IncomingMessage } from 'node:http';
import { SECOND_MS } from '../kernel/clock.ts';

/** What is kept of a reply, for people who look for the cause of a failure. */
export interface Reply {
  headers: Record<string, string>;
  /** The first bytes, as received. */
  body: Buffer;
  /** The body is longer than what is kept, or did not end. */
  truncated: boolean;
}

/** How much of a body is kept. */
export const KEPT_BYTES = 2_000;

// A short body is read to its end so that the connection can be reused.
const MAX_BODY_BYTES = 4_096;
const MAX_BODY_MS = SECOND_MS;
const KEPT_HEADERS = ['content-type', 'retry-after', 'location'];
const KEPT_HEADER_CHARS = 500;

/** Closes the connection if the body is long or slow. */
export function readReply(response: IncomingMessage): Promise<Reply> {
  return new Promise((resolve) => {
    // Copied: a part of a chunk would keep the whole chunk in memory.
    const kept = Buffer.alloc(KEPT_BYTES);
    let bytes = 0;
    const timer = setTimeout(() => response.destroy(), MAX_BODY_MS);
    response.on('data', (chunk: Buffer) => {
      if (bytes < KEPT_BYTES) chunk.copy(kept, bytes);
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) response.destroy();
    });
    response.on('error', () => undefined);
    response.once('close', () => {
      clearTimeout(timer);
      const truncated = bytes > KEPT_BYTES || !response.complete;
      resolve({ headers: keptHeaders(response), body: Buffer.from(kept.subarray(0, bytes)), truncated });
    });
  });
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = String(value).slice(0, KEPT_HEADER_CHARS);
  }
  return kept;
}
