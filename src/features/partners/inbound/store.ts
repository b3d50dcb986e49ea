// The tables of inbound credits and their reversals.
import { sql } from 'kysely';
import { batchLoader, type Load } from '../../../db/batch-loader.ts';
import type { Queries } from '../../../db/database.ts';
import { textArray } from '../../../db/driver/binary-arrays.ts';
import { integer, record, text, textOrNull, timestamp, timestampOrNull } from '../../../db/driver/columns.ts';
import type { Reader } from '../../../db/driver/reader.ts';
import { statement } from '../../../db/driver/statement.ts';
import type { LookupColumns } from '../../../db/lookup.ts';
import { OutboxTable } from '../../../db/outbox-table.ts';
import type { InboundRecord, InboundRow } from './record.ts';

export const INBOUND_TRANSACTIONS = new OutboxTable('inbound_transactions', {
  sealed: {
    id: 'text',
    partner_id: 'text',
    reference: 'text',
    key_id: 'text',
    idempotency_key: 'text',
    status: 'text',
    failure_code: 'text',
    transaction_id: 'text',
    identified_by: 'text',
    identifier: 'text',
    subscriber_id: 'text',
    account_number: 'text',
    account_name: 'text',
    amount: 'text',
    fee: 'text',
    net_credited: 'text',
    currency: 'text',
    partner_outstanding: 'text',
    narration: 'text',
    payer_name: 'text',
    payer_account_masked: 'text',
    payer_bank_code: 'text',
    completed_at: 'timestamp',
  },
});

export const INBOUND_REVERSALS = new OutboxTable('inbound_reversals', {
  sealed: {
    inbound_id: 'text',
    transaction_id: 'text',
    reason: 'text',
    allow_negative: 'text',
    reversed_by: 'text',
    reversed_at: 'timestamp',
  },
});

/** Identifies a credit: references are unique per partner. */
export interface CreditKey {
  partnerId: string;
  reference: string;
}

const DECODERS = {
  id: text,
  partner_id: text,
  reference: text,
  key_id: text,
  idempotency_key: text,
  status: text<InboundRow['status']>,
  failure_code: textOrNull,
  transaction_id: textOrNull,
  identified_by: text<InboundRow['identified_by']>,
  identifier: text,
  subscriber_id: textOrNull,
  account_number: textOrNull,
  account_name: textOrNull,
  amount: integer,
  fee: integer,
  net_credited: integer,
  currency: text,
  partner_outstanding: integer,
  narration: textOrNull,
  payer_name: textOrNull,
  payer_account_masked: textOrNull,
  payer_bank_code: textOrNull,
  completed_at: timestamp,
} satisfies LookupColumns<'inbound_transactions', keyof InboundRow>;

// Lateral with a limit forces index scans, even in a plan that was cached while the tables were empty.
const BY_REFERENCE = statement(
  'inbound-by-reference',
  `select t.*, r.reversed_at
  from unnest($1::text[], $2::text[]) as requested (reference, partner_id)
  cross join lateral (select ${Object.keys(DECODERS).join(', ')} from inbound_transactions
    where reference = requested.reference and partner_id = requested.partner_id limit 1) t
  left join lateral (select reversed_at from inbound_reversals where inbound_id = t.id limit 1) r on true`,
  record({ ...DECODERS, reversed_at: timestampOrNull }),
);

export function recordByReference(reader: Reader): Load<CreditKey, InboundRecord | null> {
  const keyOf = (partnerId: string, reference: string) => `${partnerId}\n${reference}`;
  return batchLoader({
    async fetch(keys: CreditKey[]) {
      const references = textArray(keys.map(({ reference }) => reference));
      const partnerIds = textArray(keys.map(({ partnerId }) => partnerId));
      const rows = await reader.run(BY_REFERENCE, [references, partnerIds]);
      const found = new Map(rows.map((row) => [keyOf(row.partner_id, row.reference), row]));
      return keys.map(({ partnerId, reference }) => found.get(keyOf(partnerId, reference)) ?? null);
    },
  });
}

export function recordById(queries: Queries, id: string): Promise<InboundRecord | undefined> {
  return queries
    .selectFrom('inbound_transactions as t')
    .leftJoin('inbound_reversals as r', 'r.inbound_id', 't.id')
    .selectAll('t')
    .select('r.reversed_at')
    .where('t.id', '=', id)
    .executeTakeFirst();
}

/** The movement of a completed credit, with what it credited to the wallet. */
export function creditMovement(queries: Queries, id: string) {
  return queries
    .selectFrom('movements')
    .select(['from_account', 'to_account', sql<number>`amount - fee`.as('credited')])
    .where('id', '=', id)
    .where('type', '=', 'inbound_credit')
    .executeTakeFirst();
}
