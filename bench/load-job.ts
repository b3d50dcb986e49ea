// What a load generator sends: the kind of requests, their parties and credentials.

export interface SigningKey {
  keyId: string;
  secret: string;
}

export interface Merchant {
  processorId: string;
  merchantId: string;
}

export interface LoadJob {
  host: string;
  port: number;
  connections: number;
  /** Duration of the run; ignored if `requests` is set. */
  seconds: number;
  /** Total number of requests to send. */
  requests?: number;
  bearerToken: string;
  /** Signs pos and refund requests. */
  signingKey: SigningKey;
  kind: 'p2p' | 'transfer' | 'get' | 'history' | 'pos' | 'refund' | 'inbound' | 'mixed';
  /** Senders of p2p and transfer; recipients of transfer. */
  senderIds: string[];
  /** Recipients of p2p; payers of pos. */
  cardSerials: string[];
  /** Paths to read, for get and history. */
  paths: string[];
  /** Recipients of pos. */
  merchants: Merchant[];
  /** Transaction ids of the payments to refund, for refund. */
  refundableIds: string[];
  /** Senders of inbound. */
  partnerKeys: SigningKey[];
  /** Recipients of inbound: the phone numbers of this many subscribers. */
  subscriberCount: number;
  /** Prefix of every request id. */
  runId: string;
}

/** Returns the raw HTTP request with index `n` of a run. */
export type RequestFactory = (n: number) => string;
