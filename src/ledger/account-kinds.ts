// The kinds of accounts. accounts.kind is the only source: ids are opaque, whatever they begin with.
import type { Load } from '../db/batch-loader.ts';
import { text } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { lookup } from '../db/lookup.ts';

export const ACCOUNT_KINDS = [
  'wallet',
  'agent_float',
  'agent_commission',
  'processor',
  'partner_clearing',
  'fee_income',
  'treasury',
  'suspense',
  'payouts_in_transit',
] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** Batched; null when there is no such account. */
export function accountKinds(reader: Reader): Load<string, AccountKind | null> {
  const find = lookup(reader, { name: 'account-kind', table: 'accounts', by: 'id', columns: { kind: text } });
  return async (id) => ((await find(id))?.kind ?? null) as AccountKind | null;
}

/** The payee of a hold that leaves open who is paid. */
export const NO_ACCOUNT = '';
