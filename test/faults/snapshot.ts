// A consistent snapshot of the tables for the auditor.
import pg from 'pg';

export interface Snapshot {
  accounts: { id: string; balance: number }[];
  movements: {
    id: string;
    type: string;
    amount: number;
    fee: number;
    request_id: string | null;
    related_id: string | null;
    narration: string | null;
  }[];
  postings: { movement_id: string; account_id: string; amount: number; balance_after: number }[];
  requests: { request_id: string; movement_id: string; reply: string; refused: boolean }[];
  inbound: {
    id: string;
    partner_id: string;
    reference: string;
    status: string;
    failure_code: string | null;
    transaction_id: string | null;
    amount: number;
  }[];
  reversals: { inbound_id: string; transaction_id: string }[];
  /** Alerts of posted and of blocked payments. */
  alerts: { id: string; transaction_id: string | null }[];
  events: {
    id: string;
    partner_id: string;
    event: string;
    reference: string;
    inbound_id: string;
    body: string;
    status: string;
  }[];
}

const QUERIES: Record<keyof Snapshot, string> = {
  accounts: 'select id, balance from accounts',
  // With authorisations and voids, which move nothing.
  movements: `select id, type, amount, fee, request_id, related_id, narration from movements
    union all select id, 'hold', amount, 0, request_id, null, null from holds where purpose <> 'bulk'
    union all select e.id, 'void', 0, 0, e.request_id, null, null from hold_ends e join holds h on h.id = e.hold_id
      where e.outcome = 'released' and h.purpose <> 'bulk'`,
  postings: 'select movement_id, account_id, amount, balance_after from postings',
  // Without those that asked for payments before the run, and those that held the money of bulk payments.
  requests: `select request_id, movement_id, reply, refused from requests
    where movement_id not in (select 'txn' || substr(id, 4) from payment_requests)
      and movement_id not in (select id from holds where purpose = 'bulk')`,
  inbound: `select id, partner_id, reference, status, failure_code, transaction_id, amount from inbound_transactions`,
  alerts: 'select id, transaction_id from compliance_alerts',
  reversals: 'select inbound_id, transaction_id from inbound_reversals',
  events: 'select id, partner_id, event, reference, inbound_id, body, status from webhook_deliveries',
};

const INT8 = 20;

export async function takeSnapshot(url: string): Promise<Snapshot> {
  const getTypeParser = (oid: number) => (oid === INT8 ? Number : pg.types.getTypeParser(oid));
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } as pg.CustomTypesConfig });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(QUERIES)) tables[name] = (await client.query(text)).rows;
    return tables as unknown as Snapshot;
  } finally {
    await client.end();
  }
}
