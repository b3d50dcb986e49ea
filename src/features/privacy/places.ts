// Where a customer's identity is stored, and what erasure makes of it. docs/operations/personal-data.md has the whole table.
import { sql } from 'kysely';
import type { RecordRef } from '../../audit/records.ts';
import type { Queries } from '../../db/database.ts';
import { eraseBulkRows } from './bulk-rows.ts';
import { type Numbered, ownNumber } from './own-number.ts';

export const ERASED_TEXT = '[erased]';

/** Overwrites or deletes what no other operation ends, after the record was erased. Returns the protected records that it changed. */
export async function erasePlaces(trx: Queries, customer: Numbered, approvalId: string | null) {
  const phone = await ownNumber(trx, customer);
  await eraseCodes(trx, customer.id);
  await trx.deleteFrom('notice_preferences').where('owner_id', '=', customer.id).execute();
  if (phone !== null) await eraseNumber(trx, phone);
  await sql`select erase_case_texts(${customer.id})`.execute(trx);
  await sql`select erase_documents(${customer.id})`.execute(trx);
  await eraseBulkRows(trx, customer, phone);
  return [
    ...(await eraseNotes(trx, customer.id)),
    ...(await eraseAlerts(trx, customer.id)),
    ...(await eraseApprovals(trx, customer.id, approvalId)),
  ];
}

/** Numbers that codes were sent to. Devices, sessions and challenges have ended with the access. */
async function eraseCodes(trx: Queries, id: string): Promise<void> {
  const nothing = { phone_number: '', code_salt: null, code_hash: null };
  await trx.updateTable('phone_verifications').set(nothing).where('subscriber_id', '=', id).execute();
  await trx.updateTable('pin_resets').set(nothing).where('owner_id', '=', id).execute();
  await trx.updateTable('customer_devices').set({ name: ERASED_TEXT }).where('subscriber_id', '=', id).execute();
}

/** What names the number and no customer. */
async function eraseNumber(trx: Queries, phone: string): Promise<void> {
  await trx.deleteFrom('customer_challenges').where('phone_number', '=', phone).execute();
  await trx.deleteFrom('ussd_sessions').where('phone_number', '=', phone).execute();
  await trx.deleteFrom('ussd_invitations').where('phone_number', '=', phone).execute();
  // Pending ones too: nobody is told any more.
  await trx.deleteFrom('messages').where('recipient', '=', phone).execute();
  await trx.deleteFrom('incoming_messages').where('sender', '=', phone).execute();
  // What staff searched for and kept.
  const digits = phone.replace('+', '');
  await trx.deleteFrom('saved_views').where('query', 'like', `%${digits}%`).execute();
}

async function eraseNotes(trx: Queries, id: string): Promise<RecordRef[]> {
  const { rows } = await sql<{ id: string }>`select erase_note_texts(${id}) as id`.execute(trx);
  return refs('subscriber_note', rows);
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
