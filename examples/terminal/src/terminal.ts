// Sales and refunds of a terminal. An entry of the journal is sent with the same request_id until its outcome is known.
import { formatMoney, type Kissi, KissiError, KissiRefusalError } from '@kissi/client';
import type { Entry, Journal } from './journal.ts';

interface Context {
  kissi: Kissi;
  journal: Journal;
  store: { processor_id: string; merchant_id: string; terminal_id: string };
}

export type Outcome =
  | { is: 'approved'; transactionId: string; receipt: string; attempts: number; isReplay: boolean }
  | { is: 'declined'; code: string; fields: Readonly<Record<string, unknown>> }
  | { is: 'unknown'; code: string; attempts: number };

type Approved = Omit<Extract<Outcome, { is: 'approved' }>, 'is'>;

/** These are not stored for the request_id: the same sale with another PIN can succeed. */
const PIN_REFUSALS = new Set(['INVALID_PIN', 'ACCOUNT_LOCKED']);

export type Terminal = ReturnType<typeof createTerminal>;

export function createTerminal({ kissi, journal, store }: Context) {
  async function pay({ request_id, card, amount }: Entry, pin: string): Promise<Approved> {
    const payment = await kissi.terminal.pay({ ...store, request_id, card_serial: card ?? '', amount, pin });
    const { transaction_id: transactionId, receipt, lastResponse } = payment;
    return { transactionId, receipt, attempts: lastResponse.attempts, isReplay: lastResponse.isReplay };
  }

  async function refund({ request_id, original, amount }: Entry): Promise<Approved> {
    const refunded = await kissi.terminal.refund({ request_id, transaction_id: original ?? '', amount });
    const { transaction_id: transactionId, lastResponse } = refunded;
    const receipt = `REFUND  ${formatMoney(amount, { currency: 'SLE' })}\n${transactionId}\nof ${original}`;
    return { transactionId, receipt, attempts: lastResponse.attempts, isReplay: lastResponse.isReplay };
  }

  return {
    /**
     * A sale needs the PIN each time, because the terminal does not keep it. `isRepeat`: the entry was sent before, and
     * the outcome is unknown.
     */
    async send(entry: Entry, { pin = '', isRepeat = false } = {}): Promise<Outcome> {
      try {
        const approved = entry.kind === 'sale' ? await pay(entry, pin) : await refund(entry);
        journal.approve(entry, approved.transactionId);
        return { is: 'approved', ...approved };
      } catch (error) {
        if (!(error instanceof KissiError)) throw error;
        const { code, fields, attempts } = error;
        // Only a refusal says that no money was moved.
        if (!(error instanceof KissiRefusalError)) return { is: 'unknown', code, attempts };
        // An earlier send, with the right PIN, may still be on its way.
        if (!(isRepeat && PIN_REFUSALS.has(code))) journal.decline(entry, code);
        return { is: 'declined', code, fields };
      }
    },
  };
}
