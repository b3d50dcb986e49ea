// kissi logs tail: follows the request log of an API key.
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../errors.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { formatTime } from '../output/format.ts';
import { jsonText, print, printable, remark, styled } from '../output/terminal.ts';
import { Connection, connectionFlags } from '../session/connection.ts';

export interface TailFlags extends GlobalFlags {
  key?: string;
  status?: string;
  code?: string;
  /** Number of earlier requests to begin with. */
  lines?: string;
  follow?: boolean;
  bodies?: boolean;
}

/** One entry of GET /admin/api-keys/{id}/requests. */
export interface LoggedRequest {
  id: string;
  at: string;
  authenticated: boolean;
  method: string;
  path: string;
  status: number;
  code: string | null;
  reason: string | null;
  duration_ms: number;
  request_id: string;
  ip: string;
  request_body: string | null;
  reply_body: string | null;
}

interface Page {
  requests: LoggedRequest[];
  cursor: string;
}

const REQUESTS = { method: 'GET', url: '/api/v1/admin/api-keys/{id}/requests' } as const;
const POLL_MS = 1_000;

export async function tailLogs(flags: TailFlags): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const id = flags.key ?? connection.profile.keyId;
  if (!id) throw new UsageError('--key is missing: the id of the API key.');
  const filter = { ...(flags.status ? { status: flags.status } : {}), ...(flags.code ? { code: flags.code } : {}) };
  const read = async (query: Record<string, string>) =>
    (await connection.call(REQUESTS, { path: { id }, query: { ...filter, ...query } })) as unknown as Page;
  const first = await read({ limit: String(linesOf(flags)) });
  for (const request of first.requests.toReversed()) show(request, flags);
  if (flags.follow === false) return;
  remark(`Waiting for requests with ${id}. Press Ctrl-C to end.`);
  for (let { cursor } = first; ; ) {
    const page = await read({ newer_than: cursor, limit: '100' });
    for (const request of page.requests.toReversed()) show(request, flags);
    cursor = page.cursor;
    if (page.requests.length < 100) await delay(POLL_MS);
  }
}

function linesOf({ lines = '10' }: TailFlags): number {
  if (!/^\d{1,3}$/.test(lines)) throw new UsageError('--lines must be a number from 0 to 100.');
  return Math.min(100, Number(lines));
}

function show(request: LoggedRequest, { json, bodies }: TailFlags): void {
  const lines = json ? [jsonText(request)] : requestLines(request, bodies === true);
  for (const line of lines) print(line);
}

export function requestLines(request: LoggedRequest, withBodies: boolean): string[] {
  const { at, method, path, status, code, reason, duration_ms: duration, request_id: id, ip } = request;
  const head = [
    styled('dim', formatTime(at)),
    styled(colourOf(status), String(status)),
    `${method.padEnd(4)} ${printable(path)}`,
    ...(code === null ? [] : [styled(colourOf(status), printable(code))]),
    `${Math.round(duration)} ms`,
    styled('dim', `${printable(ip)} ${printable(id)}`),
  ].join('  ');
  const details = [
    ...(reason === null ? [] : [reason]),
    ...(withBodies
      ? [request.request_body, request.reply_body].map((body, n) =>
          body === null ? null : `${n === 0 ? '→' : '←'} ${body}`,
        )
      : []),
  ].filter((line) => line !== null);
  return [head, ...details.map((line) => `    ${printable(line)}`)];
}

function colourOf(status: number): 'green' | 'yellow' | 'red' {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}
