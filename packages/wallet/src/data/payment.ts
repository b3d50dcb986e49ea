// A payment from its request id to its true result, even if the connection is lost or the page is closed in between.
import { get, Lost, post, Refused } from './api.ts';
import type { CashOutCode } from './types.ts';

/** Stored before the request is sent. The PIN is not part of it. */
export interface Pending {
  request_id: string;
  /** Null for a cash-out code, which has no quote. */
  quote_id: string | null;
  path: string;
  /** The masked name, for the customer who comes back. */
  name: string;
  amount: number;
  /** Of a cash-out code: what it costs, as it was shown. */
  total?: number;
  /** Once it was sent: from then on a request that has not been made is not made any more. By the phone's clock. */
  final_at?: number;
  /** A reply was lost: the payment may have been made, or may still be. */
  is_lost?: boolean;
}

export interface Paid {
  transaction_id: string | null;
  cash_out_code: CashOutCode | null;
}

export type Outcome = { state: 'paid'; paid: Paid } | { state: 'refused'; error: Refused } | { state: 'lost' };

const STORED_AS = 'kissi-wallet-pending';
/** A quote lives five minutes from when it was made, which was before. */
const QUOTE_MS = 5 * 60_000;
/** Longer than a request waits anywhere on its way. */
const GRACE_MS = 2 * 60_000;

export function newPending(payment: Omit<Pending, 'request_id'>): Pending {
  return { ...payment, request_id: `w-${crypto.randomUUID()}` };
}

export function storedPending(): Pending | null {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? 'null');
  } catch {
    return null;
  }
}

const store = (pending: Pending) => localStorage.setItem(STORED_AS, JSON.stringify(pending));

export function forgetPending(): void {
  localStorage.removeItem(STORED_AS);
}

interface Reply {
  transaction_id?: string;
  cash_out_code?: CashOutCode;
}

const paidOf = ({ transaction_id, cash_out_code }: Reply): Outcome => {
  forgetPending();
  return { state: 'paid', paid: { transaction_id: transaction_id ?? null, cash_out_code: cash_out_code ?? null } };
};

/** Sends it, or sends it again: the service makes the payment at most once for its request id. */
export async function pay(pending: Pending, pin: string): Promise<Outcome> {
  const { request_id, quote_id, path, amount, total } = pending;
  const last = storedPending();
  const wasLost = last?.request_id === request_id && last.is_lost === true;
  const sent = { ...pending, final_at: Date.now() + (quote_id ? QUOTE_MS : 0) + GRACE_MS };
  store({ ...sent, is_lost: wasLost });
  try {
    return paidOf(await post<Reply>(path, { request_id, pin, ...(quote_id ? { quote_id } : { amount, total }) }));
  } catch (error) {
    if (error instanceof Lost) {
      store({ ...sent, is_lost: true });
      return { state: 'lost' };
    }
    if (!(error instanceof Refused)) throw error;
    // A wrong PIN or an ended session says nothing about the request that was lost before.
    if (!wasLost || error.status === 409) forgetPending();
    return { state: 'refused', error };
  }
}

export type Known = Outcome | { state: 'open' } | { state: 'never' };

/** What became of it, without the PIN. */
export async function findOutcome({ request_id }: Pending): Promise<Known> {
  try {
    const isFinal = Date.now() > (storedPending()?.final_at ?? Number.POSITIVE_INFINITY);
    const found = await get<{ status: string; reply: Reply | null }>(`/me/requests/${request_id}`);
    if (found.status === 'completed') return paidOf(found.reply ?? {});
    if (!isFinal) return { state: 'open' };
    forgetPending();
    return { state: 'never' };
  } catch (error) {
    if (error instanceof Lost) return { state: 'lost' };
    if (error instanceof Refused) return { state: 'refused', error };
    throw error;
  }
}
