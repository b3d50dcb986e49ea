// The account whose activity a payment counts towards: the wallet that pays, else the wallet that is paid, else the agent whom
// another business pays, else the agent or processor that pays, else the payee.
import { type AccountKind, NO_ACCOUNT } from '../account-kinds.ts';
import { ALL_TYPES, MOVEMENT_TYPES, type MovementType, sqlType } from '../movement-types.ts';
import type { Account, Movement } from '../types.ts';

/** Kinds that, after wallets, payments are counted for. */
const PAYING_BUSINESSES: readonly AccountKind[] = ['agent_float', 'processor'];

type Parties = Pick<Movement, 'fromAccount' | 'toAccount'>;

/** Undefined only if an account is missing, which the ledger refuses before it applies rules. */
export function subjectOf(
  { fromAccount, toAccount }: Parties,
  accounts: ReadonlyMap<string, Account>,
): Account | undefined {
  const payer = accounts.get(fromAccount);
  // A hold may leave open who is paid.
  if (payer?.kind === 'wallet' || toAccount === NO_ACCOUNT) return payer;
  const payee = accounts.get(toAccount);
  return subjectSide(payer?.kind, payee?.kind) === 'payer' ? payer : payee;
}

/** The same by the kinds of the accounts. */
export function subjectSide(payer: AccountKind | undefined, payee: AccountKind | undefined): 'payer' | 'payee' {
  if (payer === 'wallet') return 'payer';
  if (payee === 'wallet' || (payee === 'agent_float' && payer !== 'agent_float')) return 'payee';
  return payer !== undefined && PAYING_BUSINESSES.includes(payer) ? 'payer' : 'payee';
}

/** The wallet that is paid. Undefined: the payee is a business, whose received payments are not counted. */
export function receivingWallet({ toAccount }: Parties, accounts: ReadonlyMap<string, Account>): Account | undefined {
  const payee = accounts.get(toAccount);
  return payee && countsReceived(payee.kind) ? payee : undefined;
}

/** Whether the payments that an account of this kind receives are counted. */
export function countsReceived(kind: AccountKind): boolean {
  return kind === 'wallet';
}

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/**
 * The same for a row `m` of movements in full scans. Accounts other than wallets are few, so that joining only those keeps
 * the hash tables small; an account that is in neither join is a wallet.
 */
export const JOIN_BUSINESSES = `
  left join (select id, kind from accounts where kind <> 'wallet') payer on payer.id = m.from_account
  left join (select id, kind from accounts where kind <> 'wallet') payee on payee.id = m.to_account`;
export const SUBJECT = `case when payer.id is null then m.from_account when payee.id is null then m.to_account
  when payee.kind = 'agent_float' and payer.kind <> 'agent_float' then m.to_account
  when payer.kind in (${quoted(PAYING_BUSINESSES)}) then m.from_account else m.to_account end`;

/** Types of movements that may have no wallet on either side, as in the index movements_without_wallets. */
const BUSINESS_TYPES = ALL_TYPES.filter((type) => {
  const [payer, payee] = kindsOf(type);
  return !payer.includes('wallet') && payee.some((kind) => kind !== 'wallet');
});

/** The types that count for the payer. */
const COUNTED_FOR_PAYER = BUSINESS_TYPES.filter((type) => {
  const [payers, payees] = kindsOf(type);
  return payers.some((payer) => payees.some((payee) => subjectSide(payer, payee) === 'payer'));
});

/** True of a row `m` of movements that may be between businesses and would then count for the account with this id. */
export const COUNTED_FOR = (id: string) => `m.type in (${BUSINESS_TYPES.map(sqlType).join(', ')})
    and case when m.type in (${COUNTED_FOR_PAYER.map(sqlType).join(', ')}) then m.from_account else m.to_account end = ${id}`;

/**
 * Rows `m` of movements between businesses that count for the account `requested.id`, without those that count for a
 * wallet as payee. It searches by type, because no index can contain the kind of an account; a test checks that it uses
 * the index.
 */
export const BETWEEN_BUSINESSES = `from movements m
  left join lateral (select kind from accounts where id = m.to_account limit 1) payee on true
  where ${COUNTED_FOR('requested.id')}
    and payee.kind is distinct from 'wallet'`;

function kindsOf(type: MovementType): readonly [payer: readonly AccountKind[], payee: readonly AccountKind[]] {
  return MOVEMENT_TYPES[type].accounts;
}
