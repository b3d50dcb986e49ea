// Collects requests in memory until they are written: a few per key and second; the others are only counted.
import type { RecordedRequest, RequestRecorder } from '../../http/request-recorder.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';

/** The limit for all of a gateway's keys together. */
const TOTAL_PER_SECOND = 100;
/** The limit for requests that name a key without proving it: anybody can send them. */
const UNVERIFIED_PER_SECOND = 20;
/** If the database is down, further requests are only counted. */
const MAX_KEPT = 1_000;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

export interface CollectedRequest extends RecordedRequest {
  at: number;
}

export interface Collected {
  requests: CollectedRequest[];
  /** The number of requests that were not kept, by key. */
  omitted: ReadonlyMap<string, number>;
}

export interface Collector extends RequestRecorder {
  /** Returns what was collected since the last call. */
  take(): Collected;
}

interface Spent {
  accepted: number;
  refused: number;
  unverified: number;
}

/** Keeps `perSecond` accepted requests per key and as many refused ones, so that successes never displace refusals. */
export function createCollector({ perSecond, clock }: { perSecond: number; clock: Clock }): Collector {
  let requests: CollectedRequest[] = [];
  let bytes = 0;
  let omitted = new Map<string, number>();
  let second = 0;
  let spent = new Map<string, Spent>();
  let [total, unverified] = [0, 0];

  function startSecond(now: number): void {
    second = now;
    spent = new Map();
    [total, unverified] = [0, 0];
  }

  return {
    wants(keyId, { isVerified, status }) {
      const now = Math.floor(clock.now() / SECOND_MS);
      if (now !== second) startSecond(now);
      const isFull = total >= TOTAL_PER_SECOND || requests.length >= MAX_KEPT || bytes > MAX_KEPT_BYTES;
      // Neither map may grow with the ids that clients without a key invent.
      if (!isVerified && (isFull || unverified >= UNVERIFIED_PER_SECOND)) return false;
      const used = spent.get(keyId) ?? { accepted: 0, refused: 0, unverified: 0 };
      const kind = kindOf(isVerified, status);
      if (isFull || used[kind] >= perSecond) {
        omitted.set(keyId, (omitted.get(keyId) ?? 0) + 1);
        return false;
      }
      used[kind] += 1;
      spent.set(keyId, used);
      total += 1;
      if (!isVerified) unverified += 1;
      return true;
    },
    keep(request) {
      requests.push({ ...request, at: clock.now() });
      bytes += (request.rawBody?.length ?? 0) + (request.sentText?.length ?? 0);
    },
    take() {
      const collected = { requests, omitted };
      requests = [];
      bytes = 0;
      omitted = new Map();
      return collected;
    },
  };
}

function kindOf(isVerified: boolean, status: number): keyof Spent {
  if (!isVerified) return 'unverified';
  return status < 400 ? 'accepted' : 'refused';
}
