// Queries on PIN reset codes, and on the subscribers and agents they belong to.
import { afterWrongCode } from '../../auth/one-time-codes.ts';
import type { Queries } from '../../db/database.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';
import type { AgentRow } from '../../parties/agent.ts';
import type { PhoneChange } from '../../parties/phone-change.ts';
import { ENDED } from '../../parties/registration.ts';

export type ResetRow = Row<'pin_resets'>;

export type OwnerKind = 'subscriber' | 'agent';

/** The holder of a PIN. */
export type Owner = PhoneChange & { id: string; phone_number: string; phone_verified: boolean; is_pep: boolean } & (
    | { kind: 'subscriber'; status: string }
    | { kind: 'agent'; status: AgentRow['status'] }
  );

const AGENT_COLUMNS = ['id', 'phone_number', 'status', 'phone_changed_at', 'phone_changed_by'] as const;
const SUBSCRIBER_COLUMNS = [...AGENT_COLUMNS, 'phone_verified', 'is_pep'] as const;
/** The columns that only subscribers have. */
const AGENT = { kind: 'agent', phone_verified: true, is_pep: false } as const;

/** Locks the row until the transaction ends. */
export async function lockOwner(trx: Queries, kind: OwnerKind, id: string): Promise<Owner | null> {
  if (kind === 'agent') {
    const agent = trx.selectFrom('agents').select(AGENT_COLUMNS).where('id', '=', id).forUpdate();
    const row = await agent.executeTakeFirst();
    return row ? { ...AGENT, ...row } : null;
  }
  const subscriber = trx
    .selectFrom('subscribers')
    .select(SUBSCRIBER_COLUMNS)
    .where('id', '=', id)
    .where('status', '<>', ENDED);
  const row = await subscriber.forUpdate().executeTakeFirst();
  return row ? { kind, ...row } : null;
}

/** Locks all holders with this number: a subscriber, an agent, both or none. */
export async function lockOwnersByPhone(trx: Queries, phoneNumber: string): Promise<Owner[]> {
  const subscriber = trx
    .selectFrom('subscribers')
    .select(SUBSCRIBER_COLUMNS)
    .where('phone_number', '=', phoneNumber)
    .where('phone_verified', '=', true);
  const agent = trx.selectFrom('agents').select(AGENT_COLUMNS).where('phone_number', '=', phoneNumber);
  const subscribers = await subscriber.forUpdate().execute();
  const agents = await agent.forUpdate().execute();
  return [
    ...subscribers.map((row) => ({ kind: 'subscriber' as const, ...row })),
    ...agents.map((row) => ({ ...AGENT, ...row })),
  ];
}

/** Call after locking the owner. */
export function lockReset(trx: Queries, ownerId: string): Promise<ResetRow | undefined> {
  return trx.selectFrom('pin_resets').selectAll().where('owner_id', '=', ownerId).forUpdate().executeTakeFirst();
}

/** Replaces the previous code. */
export async function saveReset(trx: Queries, reset: NewRow<'pin_resets'>): Promise<void> {
  const { owner_id: _, ...columns } = reset;
  const insert = trx.insertInto('pin_resets').values(reset);
  await insert.onConflict((known) => known.column('owner_id').doUpdateSet(columns)).execute();
}

export async function countWrongCode(trx: Queries, reset: ResetRow): Promise<void> {
  await trx.updateTable('pin_resets').set(afterWrongCode(reset)).where('owner_id', '=', reset.owner_id).execute();
}

/** `floor`: the balance that must stay in an agent's float. */
export async function markReset(trx: Queries, { kind, id }: Owner, at: Date, floor: number | null): Promise<void> {
  const marked =
    kind === 'agent'
      ? trx.updateTable('agents').set({ pin_reset_at: at, pin_reset_floor: floor, updated_at: at }).where('id', '=', id)
      : trx.updateTable('subscribers').set({ pin_reset_at: at, updated_at: at }).where('id', '=', id);
  await marked.execute();
}
