// Where a customer's identity is stored, and what erasure makes of it. docs/operations/personal-data.md has the whole table.
import { sql } from 'kysely';
import type { RecordRef } from '../../audit/records.ts';
import type { Queries } from '../../db/database.ts';

export interface ErasedCustomer {
  id: string;
  phone_number: string;
  account_number: string;
}

export const ERASED_TEXT = '[erased]';

/** Overwrites or deletes what no other operation ends, after the record was erased. Returns the protected records that it changed. */
export async function erasePlaces(trx: Queries, customer: ErasedCustomer, approvalId: string | null) {
  await eraseCodes(trx, customer);
  await erasePreferences(trx, customer);
  await eraseCases(trx, customer.id);
  await eraseDocuments(trx, customer.id);
  await eraseBulkRows(trx, customer);
  return [
    ...(await eraseNotes(trx, customer.id)),
    ...(await eraseAlerts(trx, customer.id)),
    ...(await eraseApprovals(trx, customer.id, approvalId)),
  ];
}

/** Numbers that codes were sent to. Devices, sessions and challenges have ended with the access. */
async function eraseCodes(trx: Queries, { id, phone_number }: ErasedCustomer): Promise<void> {
  const nothing = { phone_number: '', code_salt: null, code_hash: null };
  await trx.updateTable('phone_verifications').set(nothing).where('subscriber_id', '=', id).execute();
  await trx.updateTable('pin_resets').set(nothing).where('owner_id', '=', id).execute();
  await trx.updateTable('customer_devices').set({ name: ERASED_TEXT }).where('subscriber_id', '=', id).execute();
  await trx.deleteFrom('customer_challenges').where('phone_number', '=', phone_number).execute();
  await trx.deleteFrom('ussd_sessions').where('phone_number', '=', phone_number).execute();
  await trx.deleteFrom('ussd_invitations').where('phone_number', '=', phone_number).execute();
}

async function erasePreferences(trx: Queries, { id, phone_number }: ErasedCustomer): Promise<void> {
  await trx.deleteFrom('notice_preferences').where('owner_id', '=', id).execute();
  // Pending ones too: nobody is told any more.
  await trx.deleteFrom('messages').where('recipient', '=', phone_number).execute();
  await trx.deleteFrom('incoming_messages').where('sender', '=', phone_number).execute();
  // What staff searched for and kept.
  const digits = phone_number.replace('+', '');
  await trx.deleteFrom('saved_views').where('query', 'like', `%${digits}%`).execute();
}

/** What was told in cases. The steps of a case, their times and who took them stay. */
async function eraseCases(trx: Queries, id: string): Promise<void> {
  const own = trx.selectFrom('cases').select('id').where('subscriber_id', '=', id);
  await trx.updateTable('cases').set({ description: ERASED_TEXT }).where('subscriber_id', '=', id).execute();
  await trx
    .updateTable('case_events')
    .set({ text: ERASED_TEXT })
    .where('case_id', 'in', own)
    .where('text', 'is not', null)
    .execute();
  // Those of earlier versions are not encrypted with the customer's own key.
  const files = trx.updateTable('case_files').set({ name: ERASED_TEXT, sealed: Buffer.alloc(0) });
  await files.where('case_id', 'in', own).execute();
}

/** The hash of each stays: what a level was decided on. */
async function eraseDocuments(trx: Queries, id: string): Promise<void> {
  const documents = trx.updateTable('subscriber_documents').set({ sealed: Buffer.alloc(0) });
  await documents.where('subscriber_id', '=', id).execute();
}

/** What payers said about whom they pay. The account number stays: it is a pseudonym now. */
async function eraseBulkRows(trx: Queries, { id, phone_number, account_number }: ErasedCustomer): Promise<void> {
  await sql`update bulk_payment_rows set phone_number = null, given_name = null, description = null,
      account_number = coalesce(account_number, ${account_number})
    where recipient_id = ${id} or phone_number = ${phone_number}`.execute(trx);
}

async function eraseNotes(trx: Queries, id: string): Promise<RecordRef[]> {
  const notes = trx.updateTable('subscriber_notes').set({ text: ERASED_TEXT }).where('subscriber_id', '=', id);
  return refs('subscriber_note', await notes.returning('id').execute());
}

/** What reviewers wrote. A rule's alert is sealed evidence and has figures, no identity; one that a person raised has a text. */
async function eraseAlerts(trx: Queries, id: string): Promise<RecordRef[]> {
  const { rows } = await sql<{ id: string }>`
    update compliance_alerts set notes = case when notes is null then null else ${ERASED_TEXT} end,
      resolution = case when resolution is null then null else ${ERASED_TEXT} end
    where subscriber_id = ${id} returning id`.execute(trx);
  await sql`select erase_alert_texts(${id})`.execute(trx);
  return refs('compliance_alert', rows);
}

/**
 * Values and names in requests of two users. Who asked and decided, when, and the action stay. The running request is recorded
 * with its own decision.
 */
async function eraseApprovals(trx: Queries, id: string, approvalId: string | null): Promise<RecordRef[]> {
  const { rows } = await sql<{ id: string }>`
    update approvals set
      input = case when action = 'privacy.erase' or subscriber_id is distinct from ${id} then input
        else input || '{"body": {}}' end,
      summary = summary
        || case when subscriber_id = ${id} then '{"before": null, "after": null}' else '{}' end::jsonb
        || jsonb_build_object('parties', (select coalesce(jsonb_agg(
          case when party ->> 'id' = ${id} then party || '{"name": null}' else party end), '[]')
          from jsonb_array_elements(summary -> 'parties') party)),
      result = case when subscriber_id = ${id} and status <> 'approved' and action <> 'privacy.erase' then null
        else result end
    where subscriber_id = ${id} or summary -> 'parties' @> ${JSON.stringify([{ id }])}::jsonb
    returning id`.execute(trx);
  return refs(
    'approval',
    rows.filter((row) => row.id !== approvalId),
  );
}

function refs(kind: RecordRef['kind'], rows: readonly { id: string }[]): RecordRef[] {
  return rows.map(({ id }) => ({ kind, id }));
}
