// A payment from the PIN to its true result. The screens before it say whom to pay, and how much.
import { t } from '@lingui/core/macro';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from '../data/api.ts';
import { findOutcome, type Known, type Outcome, type Paid, type Pending, pay } from '../data/payment.ts';
import type { Quote } from '../data/types.ts';
import { money } from '../format.ts';
import { goHome } from '../router.ts';
import { Big, Facts, Fault } from '../ui/parts.tsx';
import { PinField, usePin } from '../ui/pin.tsx';
import { Screen } from '../ui/screen.tsx';

export type PaymentLines = [name: string, value: ComponentChildren][];

interface PaymentProps {
  /** What the customer confirms. */
  lines: PaymentLines;
  pending: Pending;
  /** The price has changed, and the customer has to see the new one. */
  onQuote?: (quote: Quote) => void;
  /** What is shown once it is paid, besides the receipt. */
  children?: (paid: Paid) => ComponentChildren;
  /** Where to go from there, besides home and the receipt. */
  onward?: ComponentChildren;
  /** The reply to an earlier request was lost. */
  isSent?: boolean;
  title: string;
  action: string;
}

type State =
  | { at: 'pin'; error?: unknown }
  | { at: 'sending' }
  | { at: 'asking'; known: Known }
  | { at: 'paid'; paid: Paid };

const ASK_EVERY_MS = 4_000;

export function Payment(props: PaymentProps) {
  const { lines, pending, onQuote, children, onward, isSent = false, title, action } = props;
  const [state, setState] = useState<State>(isSent ? { at: 'asking', known: { state: 'lost' } } : { at: 'pin' });
  const pin = usePin();
  const settle = (outcome: Outcome) => {
    if (outcome.state === 'paid') setState({ at: 'paid', paid: outcome.paid });
    else if (outcome.state === 'lost') setState({ at: 'asking', known: outcome });
    else {
      const { quote } = outcome.error.fields as { quote?: Quote };
      if (quote) onQuote?.(quote);
      setState({ at: 'pin', error: outcome.error });
    }
  };
  const send = () => {
    const digits = pin.take();
    if (digits === null) return;
    setState({ at: 'sending' });
    pay(pending, digits).then(settle, (error) => setState({ at: 'pin', error }));
  };
  if (state.at === 'asking') {
    const settled = (known: Known) => (known.state === 'paid' ? settle(known) : setState({ at: 'asking', known }));
    return <Asking pending={pending} known={state.known} onKnown={settled} onAgain={() => setState({ at: 'pin' })} />;
  }
  if (state.at === 'paid') {
    const { transaction_id } = state.paid;
    return (
      <Screen title={title} action={t`Done`} onAction={() => goHome()} back={null}>
        {children?.(state.paid) ?? (
          <Big icon="done" title={money(pending.amount)}>
            <p>{t`${pending.name} has the money.`}</p>
          </Big>
        )}
        {transaction_id && (
          <button type="button" class="second" onClick={() => goHome(`/transactions/${transaction_id}`)}>
            {t`Receipt`}
          </button>
        )}
        {onward}
      </Screen>
    );
  }
  const isSending = state.at === 'sending';
  return (
    <Screen isForm title={title} action={action} onAction={send} isBusy={isSending}>
      <Facts lines={lines} />
      {isSending ? <p class="waiting" role="status">{t`Sending …`}</p> : <PinField pin={pin} />}
      {state.at === 'pin' && <Fault error={state.error} />}
      {state.at === 'pin' && isFinal(state.error) && (
        <button type="button" class="second" onClick={() => goHome()}>{t`Back to the start`}</button>
      )}
    </Screen>
  );
}

/** Another PIN does not help. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof Refused &&
    !['INVALID_PIN', 'QUOTE_CHANGED', 'RATE_LIMITED', 'TOO_MANY_ATTEMPTS'].includes(error.code)
  );
}

interface AskingProps {
  pending: Pending;
  known: Known;
  onKnown(known: Known): void;
  onAgain(): void;
}

/** The reply was lost: asks the service what became of the request until it says so. */
function Asking({ pending, known, onKnown, onAgain }: AskingProps) {
  const isHere = useRef(true);
  const isOver = known.state === 'never';
  useEffect(() => {
    isHere.current = true;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const next = await findOutcome(pending);
      if (!isHere.current) return;
      onKnown(next);
      if (next.state === 'open' || next.state === 'lost') timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    };
    if (!isOver) void ask();
    return () => {
      isHere.current = false;
      clearTimeout(timer);
    };
  }, [pending, isOver]);
  const amount = money(pending.amount);
  if (isOver) {
    return (
      <Screen title={t`Not paid`} action={t`Done`} onAction={() => goHome()} back={null}>
        <Big icon="wrong" title={amount}>
          <p>{t`The payment to ${pending.name} was not made. Your money is where it was.`}</p>
        </Big>
      </Screen>
    );
  }
  return (
    <Screen
      title={t`Did it arrive?`}
      {...(known.state === 'open' ? { action: t`Send it again`, onAction: onAgain } : {})}
      back={() => goHome()}
    >
      <Big icon="wait" title={amount}>
        <p>{t`To ${pending.name}`}</p>
        {known.state === 'open' ? (
          <p>{t`The service has no such payment so far. You can send it again: it is paid once at most.`}</p>
        ) : (
          <p>{t`The connection was lost. We are asking the service what became of the payment …`}</p>
        )}
      </Big>
      {known.state === 'refused' && <Fault error={known.error} />}
    </Screen>
  );
}
