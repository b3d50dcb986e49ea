// What a certification run observes of an integrator: its requests, its answers to webhooks, and reversals.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';

export interface RequestObserved {
  reference: string;
  amount: number;
  /** The effect of the lab, `replayed`, or the code of a refusal. */
  outcome: string;
}

export interface WebhookObserved {
  event: string;
  reference: string;
  amount: number;
  /** The number of the attempt; both copies of a duplicate have the same. */
  number: number;
  status: number | null;
  error: string | null;
}

export type Observation = { at: number } & (
  | ({ kind: 'request' } & RequestObserved)
  | { kind: 'enquiry'; reference: string }
  | { kind: 'nonce_reused' }
  | ({ kind: 'webhook' } & WebhookObserved)
  | { kind: 'forged_webhook'; status: number | null; error: string | null }
  | { kind: 'reversal'; reference: string }
);

export interface Observations {
  request(keyId: string, details: RequestObserved): Promise<void>;
  enquiry(keyId: string, reference: string): Promise<void>;
  nonceReused(keyId: string): Promise<void>;
  webhook(partnerId: string, details: WebhookObserved): Promise<void>;
  reversal(partnerId: string, reference: string): Promise<void>;
}

/** Observations outside a run are discarded. */
export function createObservations(queries: Queries, clock: Clock): Observations {
  async function record(by: { keyId: string } | { partnerId: string }, kind: string, details: object): Promise<void> {
    const owner = 'keyId' in by ? sql`key_id = ${by.keyId}` : sql`partner_id = ${by.partnerId}`;
    await sql`insert into lab_observations (certification_id, at, kind, details)
      select id, ${new Date(clock.now())}, ${kind}, ${JSON.stringify(details)}::jsonb
      from lab_certifications where ${owner} and finished_at is null`.execute(queries);
  }
  return {
    request: (keyId, details) => record({ keyId }, 'request', details),
    enquiry: (keyId, reference) => record({ keyId }, 'enquiry', { reference }),
    nonceReused: (keyId) => record({ keyId }, 'nonce_reused', {}),
    webhook: (partnerId, details) => record({ partnerId }, 'webhook', details),
    reversal: (partnerId, reference) => record({ partnerId }, 'reversal', { reference }),
  };
}

interface ObservationRow {
  at: Date;
  kind: string;
  details: object;
}

/** In the order in which they were made. */
export async function observationsOf(queries: Queries, certificationId: string): Promise<Observation[]> {
  const { rows } = await sql<ObservationRow>`select at, kind, details from lab_observations
    where certification_id = ${certificationId} order by id`.execute(queries);
  return rows.map(({ at, kind, details }) => ({ at: at.getTime(), kind, ...details }) as Observation);
}
