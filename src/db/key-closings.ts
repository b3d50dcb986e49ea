// Where an old master key ended: the last state of a chain under it, sealed under the old key and its successor.
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { Derived, type Keys } from '../kernel/key-ring.ts';
import type { Queries } from './database.ts';

export const CLOSED_CHAINS = ['audit', 'ledger'] as const;
export type ClosedChain = (typeof CLOSED_CHAINS)[number];

export interface AuditEnd {
  seq: number;
  hash: string;
}

export interface LedgerEnd {
  /** The newest chain of seals, under whichever key. */
  chain: number;
  /** The last batch of each chain under the old key, and its seal. */
  heads: [batch: string, mac: string][];
  /** The newest archive; 0 if there is none. */
  archive: number;
  /** Idempotency keys before this instant may be missing, in milliseconds since 1970; null if none were deleted. */
  prunedBefore: number | null;
}

export interface ClosingContent<End> {
  chain: ClosedChain;
  number: number;
  oldKey: string;
  newKey: string;
  /** Milliseconds since 1970. */
  at: number;
  content: End;
}

export interface Closing<End = unknown> extends ClosingContent<End> {
  oldMac: Buffer;
  newMac: Buffer;
}

export type ClosingKeys = Derived<KeyObject>;

export function closingKeys(masterKeys: Keys): ClosingKeys {
  return new Derived(masterKeys, (value) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', value, '', 'kissi-key-closing-v1', 32))),
  );
}

/** Needs both keys. */
export function sealClosing<End>(keys: ClosingKeys, closing: ClosingContent<End>): Closing<End> {
  const { oldKey, newKey } = closing;
  const key = (id: string) => keys.of(id);
  return { ...closing, oldMac: macOf(key(oldKey), closing), newMac: macOf(key(newKey), closing) };
}

/** Both seals match. Keys that are not at hand seal nothing. */
export function isGenuine(keys: ClosingKeys, closing: Closing): boolean {
  const matches = (id: string, mac: Buffer) => {
    const key = keys.known(id);
    const expected = key && macOf(key, closing);
    return expected !== undefined && expected.length === mac.length && timingSafeEqual(expected, mac);
  };
  return matches(closing.oldKey, closing.oldMac) && matches(closing.newKey, closing.newMac);
}

function macOf(key: KeyObject, { chain, number, oldKey, newKey, at, content }: ClosingContent<unknown>): Buffer {
  const text = canonicalJson([chain, number, oldKey, newKey, at, content]);
  return createHmac('sha256', key).update(text).digest();
}

/** The columns of a closing in the order of `closingOf`, each as text. */
export const CLOSING_COLUMNS = `chain, number::text, old_key, new_key, (extract(epoch from at) * 1000)::bigint::text,
  content::text, encode(old_mac, 'hex'), encode(new_mac, 'hex')`;

export function closingOf(columns: readonly (string | null | undefined)[]): Closing {
  const [chain, number, oldKey, newKey, at, content, oldMac, newMac] = columns.map((column) => column ?? '');
  return {
    ...{ chain: chain as ClosedChain, number: Number(number), oldKey: oldKey ?? '', newKey: newKey ?? '' },
    ...{ at: Number(at), content: JSON.parse(content || 'null') },
    ...{ oldMac: Buffer.from(oldMac ?? '', 'hex'), newMac: Buffer.from(newMac ?? '', 'hex') },
  };
}

/** One at a time: the lock lasts until the end of the transaction. */
export async function nextClosing(trx: Queries, chain: ClosedChain): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('kissi key closings', 0))`.execute(trx);
  const { rows } = await sql<{ number: number }>`
    select coalesce(max(number), 0) + 1 as number from key_closings where chain = ${chain}`.execute(trx);
  return Number(rows[0]?.number);
}

export async function insertClosing(trx: Queries, closing: Closing): Promise<void> {
  const { chain, number, oldKey, newKey, at, content, oldMac, newMac } = closing;
  const row = { chain, number, old_key: oldKey, new_key: newKey, at: new Date(at), content: JSON.stringify(content) };
  await trx
    .insertInto('key_closings')
    .values({ ...row, old_mac: oldMac, new_mac: newMac })
    .execute();
}
