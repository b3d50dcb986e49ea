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
  /** From then on a request that has not been made is not made any more. */
  final_at: number;
}

export interface Paid {
  transaction_id: string | null;
  cash_out_code: CashOutCode | null;
}

export type Outcome = { state: 'paid'; paid: Paid } | { state: 'refused'; error: Refused } | { state: 'lost' };

const STORED_AS = 'kissi-wallet-pending';
/** Longer than a request waits anywhere on its way. */
const GRACE_MS = 60_000;

export function newPending(payment: Omit<Pending, 'request_id' | 'final_at'>, expiresAt: number): Pending {
  return { ...payment, request_id: `w-${crypto.randomUUID()}`, final_at: expiresAt + GRACE_MS };
}

export function storedPending(): Pending | null {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? 'null');
  } catch {
    return null;
  }
}

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
  const { request_id, quote_id, path, amount } = pending;
  localStorage.setItem(STORED_AS, JSON.stringify(pending));
  try {
    return paidOf(await post<Reply>(path, { request_id, pin, ...(quote_id ? { quote_id } : { amount }) }));
  } catch (error) {
    if (error instanceof Lost) return { state: 'lost' };
    if (!(error instanceof Refused)) throw error;
    // The reply to the session's end comes before the payment is looked at.
    if (error.code !== 'UNAUTHORIZED') forgetPending();
    return { state: 'refused', error };
  }
}

export type Known = Outcome | { state: 'open' } | { state: 'never' };

/** What became of it, without the PIN. */
export async function findOutcome({ request_id, final_at }: Pending): Promise<Known> {
  try {
    const isFinal = Date.now() > final_at;
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
