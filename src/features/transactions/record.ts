// A movement as a history shows it: from one account's side, or for the operator.
import { iso } from '../../kernel/clock.ts';
import type { HistoryEntry } from '../../ledger/queries/account-history.ts';
import type { MovementEntry } from '../../ledger/queries/movement-list.ts';
import { commissionsIn } from '../../ledger/queries/totals.ts';

export interface HistoryPage<Item = TransactionRecord> {
  transactions: Item[];
  total: number;
  /** `total` is a lower bound: counting all records would exceed the time limit of a request. */
  isMinimum: boolean;
  nextCursor: string | null;
  /** Set if the period begins before this instant: earlier records are archived. */
  archivedBefore?: number;
}

export type TransactionRecord = ReturnType<typeof accountView> & PartyNames;

/** For users only. */
interface PartyNames {
  payer_name?: string | null;
  payee_name?: string | null;
  /** For staff only. */
  actor_name?: string | null;
}

/** A movement's author, for staff only. */
function authorOf(
  { actorType, actorId }: Author,
  isShown: boolean,
): { actor_type?: string | null; actor_id?: string | null } {
  return isShown ? { actor_type: actorType, actor_id: actorId } : {};
}

type Author = Pick<MovementEntry, 'actorType' | 'actorId'>;

/** For a party to the payment: another party's request id is its own affair, and by USSD that of a session on its phone. */
export function withoutOthersRequest(accountId: string, entry: HistoryEntry): HistoryEntry {
  const requester = requesterOf(entry);
  return requester === null || requester === accountId ? entry : { ...entry, requestId: null };
}

/** The party for whom the request was made. Null: not known. */
function requesterOf({ type, actorType, actorId, fromAccount, toAccount }: HistoryEntry): string | null {
  if (actorType === 'subscriber') return actorId;
  // A card's payment is the merchant's request.
  if (type === 'pos_payment') return toAccount;
  // An agent redeems a customer's code; with a key, it may also be the customer's app.
  if (type === 'wallet_withdraw') return actorType === 'user' ? toAccount : null;
  return fromAccount;
}

/** The movement from the side of one account. */
export function accountView(accountId: string, entry: HistoryEntry, showsAuthor = false) {
  const paid = entry.fromAccount === accountId;
  return {
    transaction_id: entry.movementId,
    type: entry.type,
    direction: paid ? 'debit' : ('credit' as 'debit' | 'credit' | null),
    amount: entry.amount,
    fee: entry.fee,
    commission: commissionsIn([{ ...entry, paid }]) as number | null,
    balance_after: entry.balanceAfter as number | null,
    counterparty: (paid ? entry.toAccount : entry.fromAccount) as string | null,
    payer_id: entry.fromAccount as string | null,
    payee_id: entry.toAccount as string | null,
    narration: entry.narration,
    status: 'COMPLETED',
    request_id: entry.requestId,
    reference: entry.reference,
    created_at: iso(entry.at),
    ...authorOf(entry, showsAuthor),
    metadata: entry.metadata,
  };
}

/** Without an account there is no direction, commission, balance or counterparty: payer and payee are both shown. */
export function operatorView(entry: MovementEntry, showsAuthor: boolean): TransactionRecord {
  return {
    transaction_id: entry.id,
    type: entry.type,
    direction: null,
    amount: entry.amount,
    fee: entry.fee,
    commission: null,
    balance_after: null,
    counterparty: null,
    payer_id: entry.fromAccount,
    payee_id: entry.toAccount,
    narration: entry.narration,
    status: 'COMPLETED',
    request_id: entry.requestId,
    reference: entry.reference,
    created_at: iso(entry.at),
    ...authorOf(entry, showsAuthor),
    metadata: entry.metadata,
  };
}
