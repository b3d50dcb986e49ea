// The life of one payment form: one request id, one payment, and an answer also after a lost connection.
import { type Kissi, KissiConnectionError, KissiError } from '@kissi/client';
import { useRef, useState } from 'react';
import { needsApproval } from '../../api/approval.ts';
import { readAgain } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';

export type PaymentState =
  | { step: 'editing'; error: unknown }
  | { step: 'confirming'; error: unknown }
  | { step: 'sending' }
  /** No reply arrived, and the service has no record of the request. */
  | { step: 'unknown' }
  | { step: 'done'; reply: Record<string, unknown> }
  | { step: 'approval'; approvalId: string | null };

/** Makes the payment with this request id. Called again with the same id after a lost connection. */
export type Pay = (client: Kissi, requestId: string) => PromiseLike<unknown>;

export function usePayment(pay: Pay, changes?: string[]) {
  const [state, setState] = useState<PaymentState>({ step: 'editing', error: null });
  // The same for all attempts of this form, so that it pays at most once.
  const requestId = useRef(crypto.randomUUID());
  const isSending = useRef(false);

  const finish = async (reply: unknown) => {
    const record = (reply ?? {}) as Record<string, unknown>;
    const approval = needsApproval(reply) || record.status === 'pending_approval';
    setState(approval ? { step: 'approval', approvalId: approvalOf(record) } : { step: 'done', reply: record });
    await readAgain(...(changes ? [...changes, 'approvals'] : []));
  };

  /** Asks the service what became of the request. */
  const lookUp = async () => {
    setState({ step: 'sending' });
    try {
      const found = await kissi.transactions.outcomeOfRequest(requestId.current);
      if (found.status === 'completed') await finish(found.reply ?? { transaction_id: found.transaction_id });
      else if (found.status === 'pending_approval')
        setState({ step: 'approval', approvalId: found.approval_id ?? null });
      else setState({ step: 'unknown' });
    } catch {
      setState({ step: 'unknown' });
    }
  };

  const send = async () => {
    if (isSending.current) return;
    isSending.current = true;
    setState({ step: 'sending' });
    try {
      await finish(await pay(kissi, requestId.current));
    } catch (error) {
      if (isUncertain(error)) await lookUp();
      else setState({ step: 'confirming', error });
    } finally {
      isSending.current = false;
    }
  };

  const edit = () => setState({ step: 'editing', error: null });
  const confirm = () => setState({ step: 'confirming', error: null });
  /** Another payment with the same form. */
  const restart = () => {
    requestId.current = crypto.randomUUID();
    edit();
  };
  return { state, requestId: requestId.current, send, lookUp, edit, confirm, restart };
}

/** The payment may have been made although an error was returned. */
function isUncertain(error: unknown): boolean {
  return error instanceof KissiConnectionError || (error instanceof KissiError && (error.status ?? 0) >= 500);
}

function approvalOf(record: Record<string, unknown>): string | null {
  const { approval_id, approval } = record as { approval_id?: string; approval?: { id?: string } };
  return approval_id ?? approval?.id ?? null;
}
