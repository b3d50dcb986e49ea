// The document of a daily close: its fields, its exact text, and the arithmetic that anybody can repeat.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../kernel/canonical-json.ts';
import { DAY_MS, iso } from '../../../kernel/clock.ts';
import { isEMoney } from '../../../ledger/e-money.ts';

/** Amounts are in minor units. */
export interface CloseDocument {
  version: 1;
  id: string;
  /** The place in the chain, from 1. */
  number: number;
  /** The UTC day that is closed. */
  date: string;
  /** Its end, exclusive. */
  instant: string;
  operator: string;
  currency: string;
  closed_at: string;
  closed_by: { type: 'user' | 'system'; id: string | null };
  /** Set in a correction, which takes the place of the close that it names. */
  corrects: { id: string; sha256: string; reason: string } | null;
  /** SHA-256 of the previous document; null in the first one. */
  previous_sha256: string | null;
  e_money: EMoney;
  /** The sums of the balances of all accounts by kind; together they are zero. */
  ledger: KindBalance[];
  trust: Trust;
  /** Trust balances divided by e-money, rounded down; null: there is no e-money, or no statement yet. */
  cover_ratio: string | null;
  /** Trust balances less e-money; null: there is no statement yet. */
  cover_difference: number | null;
  /** What partners owe. Negative for a partner: the operator owes it. */
  partners: { owed: number; partners: PartnerDebt[] };
  suspense: AgedItems;
  /** Items of either side of the reconciliation without a match. */
  unmatched: { bank: AgedItems; books: AgedItems };
  /** The number of the last change of a match that they contain. Absent in closes of earlier versions. */
  reconciliation_change?: number;
  /** The day's movements by type. */
  movements: MovementSum[];
  fees: number;
  seals: Seals;
}

export interface EMoney {
  total: number;
  by_kind: KindBalance[];
}

export interface KindBalance {
  kind: string;
  balance: number;
}

export interface Trust {
  total: number;
  accounts: TrustBalance[];
}

export interface TrustBalance {
  id: string;
  name: string;
  bank: string;
  account_number: string;
  /** By the last statement up to the day; null: there is none. */
  balance: number | null;
  statement_id: string | null;
  /** The day at whose end the account had this balance. */
  balance_date: string | null;
}

export interface PartnerDebt {
  id: string;
  name: string;
  outstanding: number;
}

export const AGES = ['under_1_day', 'under_3_days', 'under_7_days', 'older'] as const;
/** The first age in days that no longer belongs to the class. */
export const AGE_LIMITS = [1, 3, 7] as const;

export interface AgedItems {
  count: number;
  amount: number;
  by_age: Record<(typeof AGES)[number], { count: number; amount: number }>;
}

export interface MovementSum {
  type: string;
  count: number;
  amount: number;
  fee: number;
  commission: number;
}

/** The ends of the chains that seal the ledger and the audit log, when the figures were read. */
export interface Seals {
  audit: { seq: number; hash: string };
  /** The chain that was opened last; its MAC covers the ends of earlier chains. */
  chain: { id: number; mac: string } | null;
  heads: { batch: string; mac: string }[];
}

/** The bytes that are signed and hashed (RFC 8785). */
export function documentText(document: CloseDocument): string {
  return canonicalJson(document);
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function endOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) + DAY_MS;
}

export function dayOf(at: number): string {
  return iso(at).slice(0, 'YYYY-MM-DD'.length);
}

export function nextDay(date: string): string {
  return dayOf(endOf(date));
}

/** All that holders could claim. */
export function eMoneyOf(ledger: readonly KindBalance[]): EMoney {
  const by_kind = ledger.filter(({ kind }) => isEMoney(kind));
  return { total: by_kind.reduce((sum, { balance }) => sum + balance, 0), by_kind };
}

export function trustOf(accounts: TrustBalance[]): Trust {
  return { total: accounts.reduce((sum, { balance }) => sum + (balance ?? 0), 0), accounts };
}

const RATIO_DIGITS = 4;

/** Computed in integers and rounded down, so that it never shows more cover than there is. */
export function coverRatio(trust: number, eMoney: number): string | null {
  if (eMoney <= 0) return null;
  const scaled = BigInt(trust) * 10n ** BigInt(RATIO_DIGITS);
  const divided = scaled / BigInt(eMoney);
  const floor = scaled < 0n && divided * BigInt(eMoney) !== scaled ? divided - 1n : divided;
  const digits = String(floor < 0n ? -floor : floor).padStart(RATIO_DIGITS + 1, '0');
  return `${floor < 0n ? '-' : ''}${digits.slice(0, -RATIO_DIGITS)}.${digits.slice(-RATIO_DIGITS)}`;
}

/** Without a statement of any trust account the cover is unknown. */
export function coverOf(
  { total, accounts }: Trust,
  eMoney: number,
): Pick<CloseDocument, 'cover_ratio' | 'cover_difference'> {
  if (accounts.every(({ balance }) => balance === null)) return { cover_ratio: null, cover_difference: null };
  return { cover_ratio: coverRatio(total, eMoney), cover_difference: total - eMoney };
}

/** By age at the instant, in whole days. */
export function agedItems(items: readonly { ageDays: number; count: number; amount: number }[]): AgedItems {
  const by_age = Object.fromEntries(AGES.map((age) => [age, { count: 0, amount: 0 }])) as AgedItems['by_age'];
  for (const { ageDays, count, amount } of items) {
    const index = AGE_LIMITS.findIndex((limit) => ageDays < limit);
    const sums = by_age[AGES[index === -1 ? AGES.length - 1 : index] as (typeof AGES)[number]];
    sums.count += count;
    sums.amount += amount;
  }
  const sums = Object.values(by_age);
  return {
    count: sums.reduce((total, { count }) => total + count, 0),
    amount: sums.reduce((total, { amount }) => total + amount, 0),
    by_age,
  };
}

/** The faults of figures that follow from others. Needs no books. */
export function arithmeticFaults(document: CloseDocument): string[] {
  const { ledger, e_money, trust, partners, movements, fees, cover_ratio, cover_difference, date, instant } = document;
  const expected = {
    instant: iso(endOf(date)),
    e_money: eMoneyOf(ledger),
    trust: trustOf(trust.accounts),
    ...coverOf(trust, e_money.total),
    fees: movements.reduce((sum, { fee }) => sum + fee, 0),
    owed: partners.partners.reduce((sum, { outstanding }) => sum + outstanding, 0),
  };
  const stated = { instant, e_money, trust, cover_ratio, cover_difference, fees, owed: partners.owed };
  const faults = Object.entries(stated).flatMap(([name, value]) =>
    canonicalJson(value) === canonicalJson(expected[name as keyof typeof expected]) ? [] : [`${name} does not add up`],
  );
  if (ledger.reduce((sum, { balance }) => sum + balance, 0) !== 0) faults.push('the ledger does not sum to zero');
  return faults;
}
