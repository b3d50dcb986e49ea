// What a load generator sends: the kind of requests, their parties and credentials.
import type { ApiKey, Merchant, Partner } from '@kissi/testkit/parties';

/** A payment request, and what its payer sends to pay it. */
export interface Approval {
  request: string;
  payer: string;
  token: string;
  quote: string;
}

export interface LoadJob {
  host: string;
  port: number;
  connections: number;
  /** Duration of the run; ignored if `requests` is set. */
  seconds: number;
  /** Total number of requests to send. */
  requests?: number;
  /** For all requests except inbound ones. */
  key: ApiKey;
  kind: 'p2p' | 'transfer' | 'get' | 'history' | 'pos' | 'refund' | 'inbound' | 'mixed' | 'in-app' | 'ask' | 'approve';
  /** Senders of p2p and transfer; recipients of transfer. */
  senderIds: string[];
  /** Recipients of p2p; payers of pos. */
  cardSerials: string[];
  /** Paths to read, for get and history. */
  paths: string[];
  /** Recipients of pos, in-app and ask. */
  merchants: Merchant[];
  /** Transaction ids of the payments to refund, for refund. */
  refundableIds: string[];
  approvals: Approval[];
  /** Senders of inbound. */
  partners: Partner[];
  /** Recipients of inbound: the phone numbers of this many subscribers. */
  subscriberCount: number;
  /** Prefix of every request id. */
  runId: string;
  /** Request ids are UUIDs, as most clients make them, and not numbers of the run. */
  randomIds?: boolean;
}

/** What a scenario decides; the rest has defaults. */
export type Load = Partial<Omit<LoadJob, 'host' | 'port' | 'key' | 'runId'>>;

export const EMPTY_LOAD = {
  connections: 1,
  seconds: 1,
  kind: 'get',
  senderIds: [],
  cardSerials: [],
  paths: [],
  merchants: [],
  refundableIds: [],
  approvals: [],
  partners: [],
  subscriberCount: 0,
} as const satisfies Load;

/** A partner whose credits are never refused. */
export const UNLIMITED_PARTNER = { outstanding_limit: Number.MAX_SAFE_INTEGER };

/** Returns the raw HTTP request with index `n` of a run. */
export type RequestFactory = (n: number) => string;
