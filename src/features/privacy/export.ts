// Everything that is stored about one customer, in one file: what the customer may ask for.
import { createHash } from 'node:crypto';
import type { Actor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { subscriberRecord } from '../subscribers/service.ts';
import { isCustomer, type TransactionRecord } from '../transactions/service.ts';
import type { PrivacyContext } from './context.ts';

const PAGE = 100;

type ExportContext = Pick<PrivacyContext, 'database' | 'audit' | 'subscribers' | 'transactions' | 'clock'>;

export interface PersonalData {
  bytes: Buffer;
  name: string;
}

/**
 * Notes of staff and alerts are left out: who hands the file out must not tell a customer of a suspicion. So are the names and
 * ids of other customers.
 */
export function createExport({ database, audit, subscribers, transactions, clock }: ExportContext) {
  const { queries } = database;

  async function allTransactions(actor: Actor, id: string) {
    const found: ReturnType<typeof ownView>[] = [];
    let cursor: string | null | undefined;
    let archivedBefore: number | undefined;
    do {
      const request = { limit: PAGE, offset: 0, ...(cursor ? { cursor } : {}) };
      const page = await transactions.accountHistory(actor, id, request, null);
      if (page instanceof Refusal) return page;
      found.push(...page.transactions.map(ownView));
      archivedBefore ??= page.archivedBefore;
      cursor = page.nextCursor;
    } while (cursor !== null);
    return { found, archived_before: archivedBefore === undefined ? null : iso(archivedBefore) };
  }

  /** Access to a politically exposed person's data is checked, and audited, with the record. */
  return async function exportData(actor: Actor, id: string): Promise<PersonalData | Refusal> {
    const customer = await subscribers.get(actor, id);
    if (customer instanceof Refusal) return customer;
    const made = await allTransactions(actor, id);
    if (made instanceof Refusal) return made;
    const { id_document_url, selfie_url, block_reason } = customer;
    const data = {
      exported_at: iso(clock.now()),
      subscriber: { ...subscriberRecord(customer), id_document_url, selfie_url, block_reason },
      ...(await storedElsewhere(queries, id)),
      transactions: made.found,
      transactions_archived_before: made.archived_before,
    };
    const bytes = Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
    const details = { sha256: createHash('sha256').update(bytes).digest('hex') };
    await audit.record(queries, actor, {
      action: 'subscriber.export',
      resourceType: 'subscriber',
      resourceId: id,
      details,
    });
    return { bytes, name: `kissi-personal-data-${customer.id}.json` };
  };
}

/** As the customer's own history has it. */
function ownView(transaction: TransactionRecord) {
  const { payer_id: _payer, payee_id: _payee, payer_name: _from, payee_name: _to, ...rest } = transaction;
  const { actor_type: _type, actor_id: _actor, counterparty, ...own } = rest as typeof rest & Record<string, unknown>;
  const isShown = typeof counterparty === 'string' && !isCustomer(counterparty);
  return { ...own, counterparty: isShown ? counterparty : null };
}

async function storedElsewhere(queries: Queries, id: string) {
  const [cards, devices, notices, numbers, cases, requests, documents] = await Promise.all([
    queries
      .selectFrom('cards')
      .select(['serial', 'type', 'status', 'label', 'daily_limit', 'linked_at', 'retired_at'])
      .where((eb) => eb.or([eb('subscriber_id', '=', id), eb('retired_subscriber_id', '=', id)]))
      .orderBy('serial')
      .execute(),
    queries
      .selectFrom('customer_devices')
      .select(['id', 'name', 'created_at', 'last_used_at', 'ended_at', 'end_reason'])
      .where('subscriber_id', '=', id)
      .orderBy('id')
      .execute(),
    queries
      .selectFrom('notice_preferences')
      .select(['language', 'channels', 'payments', 'shows_balance'])
      .where('owner_id', '=', id)
      .executeTakeFirst(),
    queries.selectFrom('phone_changes').select('changed_at').where('owner_id', '=', id).orderBy('id').execute(),
    casesOf(queries, id),
    queries
      .selectFrom('payment_requests')
      .select(['id', 'amount', 'description', 'reference', 'created_at', 'expires_at'])
      .where('payee_id', '=', id)
      .orderBy('id')
      .execute(),
    queries
      .selectFrom('subscriber_documents')
      .select(['id', 'kind', 'type', 'size', 'created_at'])
      .where('subscriber_id', '=', id)
      .orderBy('id')
      .execute(),
  ]);
  return {
    ...{ cards, devices, notifications: notices ?? null, phone_number_changes: numbers, cases },
    ...{ payment_requests: requests, documents },
  };
}

/** With what the customer sees of each. */
async function casesOf(queries: Queries, id: string) {
  const own = await queries
    .selectFrom('cases')
    .select(['id', 'number', 'kind', 'state', 'channel', 'description', 'created_at', 'closed_at'])
    .where('subscriber_id', '=', id)
    .orderBy('id')
    .execute();
  const ids = own.map((each) => each.id);
  if (ids.length === 0) return [];
  const events = await queries
    .selectFrom('case_events')
    .select(['case_id', 'kind', 'text', 'at'])
    .where('case_id', 'in', ids)
    .where('is_shown', '=', true)
    .orderBy('id')
    .execute();
  const files = await queries
    .selectFrom('case_files')
    .select(['case_id', 'name', 'type', 'size', 'created_at'])
    .where('case_id', 'in', ids)
    .where('uploaded_by', '=', id)
    .orderBy('id')
    .execute();
  return own.map((each) => ({
    ...each,
    timeline: events.filter(({ case_id }) => case_id === each.id).map(({ case_id: _, ...event }) => event),
    files: files.filter(({ case_id }) => case_id === each.id).map(({ case_id: _, ...file }) => file),
  }));
}
