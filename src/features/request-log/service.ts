// The request log: recent requests of each API key, redacted, written in the background and kept for 24 hours.
import type { Caller, KeyCaller } from '../../auth/caller.ts';
import type { KeyRecords } from '../../auth/key-records.ts';
import type { Vault } from '../../auth/vault.ts';
import type { Database } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import type { RequestRecorder } from '../../http/request-recorder.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Mentions } from '../../parties/pep-mentions.ts';
import { type ApiKeyRow, type ApiKeys, noSuchKey } from '../admin/api-keys/service.ts';
import { type CollectedRequest, createCollector } from './collector.ts';
import { refusalReason } from './explanation.ts';
import { MAX_PARSED_BYTES, redactedBody, redactedPath } from './redaction.ts';
import * as store from './store.ts';

export interface RequestLogDependencies {
  database: Database;
  keys: Pick<KeyRecords, 'byId'>;
  apiKeys: Pick<ApiKeys, 'get'>;
  vault: Vault;
  clock: Clock;
  pep: PepGuard;
  mentions: Mentions;
  /** Requests of one key that are kept per second; 0: none. */
  perSecond: number;
}

export interface LogPage {
  rows: store.LogRow[];
  total: number;
  omitted: number;
}

export interface RequestLog {
  /** Undefined: nothing is kept. */
  recorder: RequestRecorder | undefined;
  /** A key or a processor's login lists those of the owner's keys. Staff see requests about politically exposed persons only with access. */
  list(caller: Caller, filter: Omit<store.LogFilter, 'since' | 'withoutPeps'>, page: Page): Promise<LogPage | Refusal>;
  /** Writes what was collected since the last call. */
  flush(): Promise<void>;
  prune(): Promise<void>;
}

const KEPT_MS = DAY_MS;
const DISCONNECTED = 'The connection was closed before the reply was sent.';

export function createRequestLog(dependencies: RequestLogDependencies): RequestLog {
  const { database, keys, apiKeys, vault, clock, perSecond, pep, mentions } = dependencies;
  const collector = createCollector({ perSecond, clock });
  const oldest = () => new Date(clock.now() - KEPT_MS);

  /** Null: there is no such key. */
  async function rowOf(request: CollectedRequest, subjects: string[]): Promise<store.NewLogRow | null> {
    const key = request.isVerified && request.code === null ? undefined : await keys.byId(request.keyId);
    if (key === null) return null;
    if (request.isDisconnected) return { ...logRow(request, DISCONNECTED), subjects };
    return { ...logRow(request, key ? refusalReason(request, key, vault) : null), subjects };
  }

  return {
    recorder: perSecond === 0 ? undefined : collector,
    async list(caller, requested, page) {
      const apiKey = await apiKeys.get(requested.keyId);
      if (apiKey instanceof Refusal) return apiKey;
      const owner = ownerOf(caller);
      if (owner && !isOwn(owner, apiKey)) return noSuchKey();
      const since = oldest();
      // The key's owner has sent these requests and got their replies.
      const filter = { ...requested, since, withoutPeps: !owner && !(await pep.hasAccess(caller)) };
      const [rows, total, omitted] = await Promise.all([
        store.listRequests(database.queries, filter, page),
        page.after === undefined ? store.countRequests(database.queries, filter) : 0,
        store.countOmissions(database.queries, requested.keyId, since),
      ]);
      return { rows, total, omitted };
    },
    async flush() {
      const { requests, omitted } = collector.take();
      const subjects = await mentions(requests.map(wholeText));
      const rows = await Promise.all(
        requests.map((request, index) => rowOf(request, (subjects[index] ?? []).map(store.subjectOf))),
      );
      await store.insertRequests(
        database,
        rows.filter((row) => row !== null),
      );
      await store.addOmissions(database.pool, omitted, clock.now());
    },
    prune: () => store.pruneRequests(database.pool, oldest()),
  };
}

/** Null for staff, who see the requests of all keys. */
function ownerOf(caller: Caller): Pick<KeyCaller, 'partnerId' | 'processorId'> | null {
  if (caller.kind === 'key') return caller;
  if (caller.kind !== 'user' || caller.role !== 'processor') return null;
  return { partnerId: null, processorId: caller.processorId };
}

function isOwn(
  { partnerId, processorId }: Pick<KeyCaller, 'partnerId' | 'processorId'>,
  key: Pick<ApiKeyRow, 'partner_id' | 'processor_id'>,
): boolean {
  return key.partner_id === partnerId && key.processor_id === processorId;
}

/**
 * Everything that may name a person. The log keeps only a redacted part of it. What names the payment and its parties comes
 * first, before long lists that a caller may send along.
 */
function wholeText({ target, rawBody, sentText }: CollectedRequest): string {
  const bodies = [sentText ?? '', rawBody?.toString() ?? ''].map((text) => text.slice(0, MAX_PARSED_BYTES));
  const texts = [...bodies.map(fieldsOf), target.replaceAll(/%2b/gi, '+').slice(0, MAX_PARSED_BYTES), ...bodies];
  return texts.join(BETWEEN);
}

/** Not white space, which people type within a number. */
const BETWEEN = ' | ';

/** The plain fields of a JSON body, as the service reads them: without escapes. */
function fieldsOf(body: string): string {
  try {
    const fields = Object.values(JSON.parse(body) ?? {});
    const isPlain = (each: unknown) => typeof each === 'string' || typeof each === 'number';
    const nested = fields.flatMap((each) => (isPlain(each) ? [] : Object.values(each ?? {})));
    // Short ones first: a long text must not take the place of a number.
    const plain = [...fields, ...nested].filter(isPlain).map(String);
    return plain.sort((one, other) => one.length - other.length).join(BETWEEN);
  } catch {
    return '';
  }
}

function logRow(request: CollectedRequest, reason: string | null): store.NewLogRow {
  const { keyId, isVerified, at, method, target, route, params, status, code, ms, requestId, ip } = request;
  const { rawBody, sentText, headers } = request;
  return {
    key_id: keyId,
    at: new Date(at),
    verified: isVerified,
    method,
    path: redactedPath(target, route, params),
    status,
    code,
    reason,
    duration_ms: Math.round(ms * 100) / 100,
    request_id: requestId,
    ip,
    request_bytes: rawBody?.length ?? declaredBytes(headers['content-length']),
    reply_bytes: sentText === null ? 0 : Buffer.byteLength(sentText),
    request_body: redactedBody(rawBody),
    reply_body: redactedBody(sentText),
  };
}

/** For a body that was not read. */
function declaredBytes(contentLength: string | undefined): number {
  return /^\d{1,9}$/.test(contentLength ?? '') ? Number(contentLength) : 0;
}
