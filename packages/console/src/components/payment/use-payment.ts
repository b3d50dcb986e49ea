// The life of one payment form: one request id until its outcome is known, and never a second payment with another id before.
import { type Kissi, KissiError } from '@kissi/client';
import { useEffect, useRef, useState } from 'react';
import { needsApproval } from '../../api/approval.ts';
import { readAgain } from '../../api/queries.ts';
import { payingClient } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { findOpenPayment, forgetPayment, noteAttempt, type OpenPayment } from './open-payments.ts';

export type PaymentState =
  | { step: 'editing' }
  /** `isRepeat`: an earlier attempt may still be executed, so only the same payment can be sent. */
  | { step: 'confirming'; error: unknown; isRepeat: boolean }
  | { step: 'sending' }
  /** An attempt got no reply of the service. `error`: the refusal of a later attempt. */
  | { step: 'unknown'; error: unknown; payment: OpenPayment }
  | { step: 'done'; reply: Record<string, unknown> }
  | { step: 'approval'; approvalId: string | null };

/** Makes the payment with this request id. Called again with the same id after a lost connection. */
export type Pay = (client: Kissi, requestId: string, secret: string) => PromiseLike<unknown>;

interface PaymentOptions {
  /** Names the form, such as `agent-fund`. */
  kind: string;
  /** The party for whom the user pays; null: the user's own agent or merchant. */
  party: string | null;
  pay: Pay;
  changes: string[] | undefined;
  /** Of a payment that is made once, whichever form makes it. */
  ownRequestId?: string | undefined;
  /** The amount and the parties: a PIN that was typed for others is forgotten. */
  target: string;
  /** Nothing is filled in: the form begins with the last step. */
  isFixed?: boolean;
}

/** In its own file, because staff load payment forms with the first page. */
export const loadUnresolved = () => import('./unresolved.tsx');

/** Between attempts that get no reply. */
const WAITS_MS = [500, 2_000];

export function usePayment({ kind, party, pay, changes, target, ownRequestId, isFixed }: PaymentOptions) {
  const { id: userId } = useUser();
  const first: PaymentState = isFixed ? { step: 'confirming', error: null, isRepeat: false } : { step: 'editing' };
  const [state, setState] = useState<PaymentState>(first);
  const [typed, setTyped] = useState({ secret: '', target });
  const [requestId, setRequestId] = useState<string>(() => ownRequestId ?? crypto.randomUUID());
  const [other, setOther] = useState(() => findOpenPayment(userId, kind, requestId));
  const isSending = useRef(false);
  const isUncertain = useRef(false);
  const isShown = useIsShown();
  useEffect(() => void loadUnresolved().catch(() => undefined), []);
  const own = { requestId, kind, userId, partyId: party };
  const secret = typed.target === target ? typed.secret : '';
  const setSecret = (text: string) => setTyped({ secret: text, target });

  /** A PIN is typed for one attempt: it is kept only while that is sent, and while it got no reply. */
  const goTo = (next: PaymentState) => {
    if (next.step !== 'sending' && (next.step !== 'unknown' || next.error)) setSecret('');
    setState(next);
  };

  /** Another form or window has an open payment of this kind, which is looked up first. */
  const isBlocked = () => {
    const found = isUncertain.current ? null : findOpenPayment(userId, kind, requestId);
    if (found) setOther(found);
    return found !== null;
  };

  const finish = async (record: Record<string, unknown>, isApproval: boolean) => {
    // The outcome of a form that was closed is shown when the form is opened again.
    if (isShown.current) forgetPayment(requestId);
    goTo(isApproval ? { step: 'approval', approvalId: approvalOf(record) } : { step: 'done', reply: record });
    await readAgain(...(changes ? [...changes, 'approvals'] : []));
  };

  /** Sends it until the service replies, at most three times. */
  const attempt = async (): Promise<unknown> => {
    for (const waitMs of [...WAITS_MS, null]) {
      noteAttempt(own);
      try {
        return replyOf(await pay(payingClient, requestId, secret));
      } catch (error) {
        if (!mayBeExecuted(error)) throw error;
        isUncertain.current = true;
        if (waitMs === null) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };

  const send = async () => {
    if (isSending.current || isBlocked()) return;
    isSending.current = true;
    goTo({ step: 'sending' });
    try {
      // Nothing is sent before the part that is needed when the connection is lost has been loaded.
      await loadUnresolved().catch(() => Promise.reject(new Error('The service cannot be reached. Nothing was sent.')));
      const reply = (await attempt()) as Record<string, unknown>;
      await finish(reply, needsApproval(reply) || reply.status === 'pending_approval');
    } catch (error) {
      // A refusal says nothing about an earlier attempt that is still on its way.
      if (isUncertain.current) unknown(mayBeExecuted(error) ? null : error);
      else {
        forgetPayment(requestId);
        goTo({ step: 'confirming', error, isRepeat: false });
      }
    } finally {
      isSending.current = false;
    }
  };
  const unknown = (error: unknown) => goTo({ step: 'unknown', error, payment: { ...own, lastAttemptAt: Date.now() } });

  const edit = () => goTo(first);
  const confirm = () => {
    if (!isBlocked()) goTo({ step: 'confirming', error: null, isRepeat: isUncertain.current });
  };
  /** Another payment with the same form: the outcome of this one is known. */
  const restart = () => {
    forgetPayment(requestId);
    isUncertain.current = false;
    if (!ownRequestId) setRequestId(crypto.randomUUID());
    edit();
  };
  /** The outcome of the payment of another form was shown. */
  const closeOther = () => {
    if (other) forgetPayment(other.requestId);
    setOther(findOpenPayment(userId, kind, requestId));
  };
  return { state, requestId, other, secret, setSecret, send, edit, confirm, restart, finish, closeOther };
}

function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/** A page of a proxy can have status 200, and is no reply to a payment. */
class ForeignReply extends Error {}

function replyOf(reply: unknown): unknown {
  if ((reply as { success?: unknown } | null)?.success === true) return reply;
  throw new ForeignReply();
}

/** No reply, a failure, or a proxy's reply: the payment may have been made. Every reply of the service has an id. */
function mayBeExecuted(error: unknown): boolean {
  if (error instanceof ForeignReply) return true;
  if (!(error instanceof KissiError)) return false;
  return error.status === null || error.status >= 500 || error.status === 408 || error.requestId === null;
}

function approvalOf(record: Record<string, unknown>): string | null {
  const { approval_id, approval } = record as { approval_id?: string; approval?: { id?: string } };
  return approval_id ?? approval?.id ?? null;
}
