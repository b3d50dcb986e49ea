// Payment requests: those that wait for the customer, those that the customer made, and one of them.
import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import type { BlockedPayee, FoundRequest, PaymentRequest, Quote } from '../data/types.ts';
import { digits, time } from '../format.ts';
import { go, goHome, useStep } from '../router.ts';
import { Big, Facts, Fault, Loaded } from '../ui/parts.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { INCOMING, RequestRow, requestStatus, requestSum } from '../ui/request-row.tsx';
import { Screen } from '../ui/screen.tsx';
import { shareOrCopy } from '../ui/share-link.ts';
import { useAction } from '../ui/use-action.ts';
import { AmountStep, PayQuote, quote } from './quoted.tsx';

interface List {
  payment_requests: PaymentRequest[];
}

export function Requests() {
  const incoming = useLoad<List>(INCOMING);
  const own = useLoad<List>('/me/payment-requests?limit=20');
  const blocked = useLoad<{ blocked_payees: BlockedPayee[] }>('/me/blocked-payees');
  const payees = blocked.data?.blocked_payees ?? [];
  return (
    <Screen title={t`Requests`} action={t`Ask for money`} onAction={() => go('/ask')}>
      <h2>{t`Waiting for you`}</h2>
      <Loaded load={incoming}>{(list) => <Rows list={list} isOwn={false} />}</Loaded>
      <h2>{t`You asked`}</h2>
      <Loaded load={own}>{(list) => <Rows list={list} isOwn />}</Loaded>
      {payees.length > 0 && <h2>{t`Blocked`}</h2>}
      {payees.map((payee) => (
        <BlockedPart key={payee.payment_request_id} payee={payee} reload={blocked.reload} />
      ))}
    </Screen>
  );
}

function Rows({ list: { payment_requests: all }, isOwn }: { list: List; isOwn: boolean }) {
  if (all.length === 0) return <p class="card quiet">{t`Nothing yet.`}</p>;
  return (
    <div class="card rows">
      {all.map((request) => (
        <RequestRow key={request.id} request={request} isOwn={isOwn} />
      ))}
    </div>
  );
}

function BlockedPart({ payee, reload }: { payee: BlockedPayee; reload(): void }) {
  const { isBusy, error, run } = useAction();
  const unblock = () =>
    run(async () => {
      await post(`/me/payment-requests/${payee.payment_request_id}/unblock-payee`);
      reload();
    });
  return (
    <div class="card">
      <p>{t`You hear nothing of ${payee.payee_name}.`}</p>
      <Fault error={error} />
      <button type="button" class="second" aria-disabled={isBusy} onClick={unblock}>{t`Unblock`}</button>
    </div>
  );
}

export function RequestScreen({ id }: { id: string }) {
  const load = useLoad<FoundRequest>(`/me/payment-requests/${id}`);
  if (!load.data) {
    return (
      <Screen title={t`Request`}>
        <Loaded load={load}>{() => null}</Loaded>
      </Screen>
    );
  }
  const { direction, payment_request: request } = load.data;
  return direction === 'sent' ? <Own request={request} reload={load.reload} /> : <Incoming request={request} />;
}

const WATCH_EVERY_MS = 8_000;

function Own({ request, reload }: { request: PaymentRequest; reload(): void }) {
  const { isBusy, error, run } = useAction();
  const { id, status, description, code, ussd, url, qr, expires_at } = request;
  const isOpen = status === 'open';
  const [isCopied, setCopied] = useState(false);
  // The payer stands beside the customer, or will pay later: nobody looks at a hidden page.
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), WATCH_EVERY_MS);
    return () => clearInterval(timer);
  }, [isOpen, reload]);
  const cancel = () =>
    run(async () => {
      await post(`/me/payment-requests/${id}/cancel`);
      reload();
    });
  const share = async () => setCopied(await shareOrCopy(url));
  const action = isOpen ? { action: isCopied ? t`Copied` : t`Share the link`, onAction: share } : {};
  return (
    <Screen title={t`Your request`} {...action} isBusy={isBusy}>
      {status === 'paid' && <Big icon="done" title={requestSum(request)} />}
      {isOpen && <QrCode text={qr} />}
      <Facts
        lines={[
          [t`Amount`, requestSum(request)],
          [t`For`, description],
          [t`State`, requestStatus(request)],
          [t`Code`, isOpen ? <strong>{digits(code)}</strong> : null],
          [t`Dial`, isOpen ? ussd : null],
          [t`Until`, isOpen ? time(expires_at) : null],
        ]}
      />
      <Fault error={error} />
      {isOpen && <button type="button" class="plain" onClick={cancel}>{t`Cancel the request`}</button>}
    </Screen>
  );
}

function Incoming({ request }: { request: PaymentRequest }) {
  const { id, status, payee_name, description, amount, expires_at } = request;
  const named = { type: 'payment_request', payment_request_id: id } as const;
  const [found, setFound] = useState<Quote | null>(null);
  const [step, forward] = useStep(found ? 2 : 1);
  const pricing = useAction();
  const declining = useAction();
  const [isBlocking, setBlocking] = useState(false);
  if (step === 2 && found) return <PayQuote first={found} named={named} key={found.id} />;
  const quoted = (next: Quote) => {
    setFound(next);
    forward(2);
  };
  if (step === 1) return <AmountStep title={t`How much?`} named={named} onQuote={quoted} />;
  const next = () => (amount === null ? forward(1) : pricing.run(async () => quoted(await quote(named))));
  const decline = () =>
    declining.run(async () => {
      await post(`/me/payment-requests/${id}/decline`);
      goHome();
    });
  const block = () =>
    declining.run(async () => {
      await post(`/me/payment-requests/${id}/block-payee`);
      await post(`/me/payment-requests/${id}/decline`);
      goHome();
    });
  const isOpen = status === 'open';
  return (
    <Screen
      title={t`${payee_name} asks you to pay`}
      {...(isOpen ? { action: t`Go on`, onAction: next } : {})}
      isBusy={pricing.isBusy || declining.isBusy}
    >
      <p class="amount">{requestSum(request)}</p>
      <Facts
        lines={[
          [t`You pay`, payee_name],
          [t`For`, description],
          [t`State`, isOpen ? null : requestStatus(request)],
          [t`Until`, isOpen ? time(expires_at) : null],
        ]}
      />
      <p class="quiet">{t`Pay only if you know what it is for. You see the fee before the PIN.`}</p>
      <Fault error={pricing.error ?? declining.error} />
      {isOpen && <button type="button" class="second" onClick={decline}>{t`Decline`}</button>}
      {isOpen && !isBlocking && (
        <button type="button" class="plain" onClick={() => setBlocking(true)}>{t`Block ${payee_name}`}</button>
      )}
      {isOpen && isBlocking && (
        <div class="card">
          <p>{t`You hear no more of ${payee_name}. You can undo it under Requests.`}</p>
          <button type="button" class="second" onClick={block}>{t`Decline and block`}</button>
        </div>
      )}
    </Screen>
  );
}
