// A form that moves money: fields, a quote to confirm, and a result you can trust after a lost connection.
import type { GetFeeQuoteData } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { money } from '../../format/money.ts';
import { CopyCurl } from '../copy-curl.tsx';
import { type Fact, Facts } from '../facts.tsx';
import { Icon } from '../icon.tsx';
import { lazyPart } from '../lazy-part.ts';
import { Link } from '../link.tsx';
import { Busy, RefusalNotice } from '../states.tsx';
import { useUnsavedGuard } from '../unsaved.ts';
import { loadUnresolved, type Pay, type PaymentState, usePayment } from './use-payment.ts';
import { useReading } from './use-reading.ts';

const Unresolved = lazyPart(loadUnresolved);

export type QuoteRequest = Omit<NonNullable<GetFeeQuoteData['query']>, 'amount'>;

export interface PaymentProps {
  /** Names the form, such as `agent-fund`: a payment whose outcome is not known is shown in forms of this name. */
  kind: string;
  /**
   * The party for whom it pays: the id of the wallet, merchant or partner, or `operator` for the treasury. Absent: the user's
   * own agent or merchant.
   */
  party?: string | undefined;
  /** Of a payment that has its own, such as an accepted request for float; absent: one for each payment of the form. */
  requestId?: string;
  /** The form's fields. Absent: there is nothing to fill in, and the form begins with the last step. */
  children?: ReactNode;
  /** Minor units; null while the form is incomplete. Absent if only the service knows it, as of a cash-out code. */
  amount?: number | null;
  isReady: boolean;
  /** What the user confirms: who gets the money, and from where. */
  summary: Fact[];
  /** Absent for payments that never have a fee. */
  quote?: QuoteRequest;
  pay: Pay;
  /** Such as "Pay out". */
  submitLabel: string;
  doneTitle: string;
  /** The reply's details, such as a receipt. */
  receipt?: (reply: Record<string, unknown>) => ReactNode;
  changes?: string[];
  onClose?: () => void;
  /** A field of the last step, such as the PIN, which is typed by a person who has seen amount and fee. */
  confirmation?: SecretField;
  /** Large targets, for phones. */
  large?: boolean;
  /** Empties the fields for another payment, which is offered then. */
  onRestart?: () => void;
  /** The payment was made; not if it waits for approval. */
  onDone?: (reply: Record<string, unknown>) => void;
}

/** Who pays and where: what a form for staff and for the merchant itself differ in. */
export type PayerProps = Pick<PaymentProps, 'kind' | 'party' | 'changes' | 'onRestart' | 'onClose' | 'large'>;

/** The form keeps what is typed, so that no form can use it for a second attempt, amount or party. */
export interface SecretField {
  /** For whom it is typed. */
  party: string;
  isComplete: (secret: string) => boolean;
  render: (secret: string, onChange: (secret: string) => void) => ReactNode;
}

export function PaymentForm(props: PaymentProps) {
  const { t } = useLingui();
  const { kind, party = null, children, amount, isReady, pay, submitLabel, changes, confirmation, large } = props;
  const isFixed = children === undefined;
  const payment = usePayment({
    kind,
    party,
    pay,
    changes,
    ownRequestId: props.requestId,
    target: `${amount} ${confirmation?.party}`,
    isFixed,
  });
  const { state, other, secret } = payment;
  const { isRead, setQuoted, gesture } = useReading(state.step === 'confirming');
  useUnsavedGuard();
  const isEditing = state.step === 'editing';
  const isSending = state.step === 'sending';
  const isConfirmed = !confirmation || confirmation.isComplete(secret);
  const isComplete = isReady && amount !== null && (isEditing || (isConfirmed && isRead));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete) return;
    if (isEditing) payment.confirm();
    else if (!gesture.isRepeated()) void payment.send();
  };
  if (state.step === 'done' || state.step === 'approval') return <Outcome {...props} payment={payment} />;
  if (state.step === 'unknown') return <NoReply payment={payment} state={state} large={large} />;
  return (
    <>
      {other && (
        <Suspense fallback={<Busy />}>
          <Unresolved payment={other} key={other.requestId} large={large} onClose={payment.closeOther} />
        </Suspense>
      )}
      <form onSubmit={submit} data-sent={isSending} style={other ? { display: 'none' } : {}}>
        <Stack gap="md">
          {/* Stays mounted, so that nothing typed is lost on the way back. */}
          <Stack gap="md" display={isEditing ? undefined : 'none'}>
            {children}
          </Stack>
          {!isEditing && <Confirmation {...props} setQuoted={setQuoted} />}
          {!isEditing && confirmation?.render(secret, payment.setSecret)}
          {isSending && <Sending />}
          {state.step === 'confirming' && <RefusalNotice error={state.error} />}
          <Group justify={large ? 'center' : 'space-between'}>
            {!large && (
              <CopyCurl
                call={(client) => pay(client, payment.requestId, secret)}
                disabled={!isReady || amount === null}
              />
            )}
            <Group gap="xs" grow={large ?? false} flex={large ? '1 0 100%' : undefined}>
              {!isEditing && !(state.step === 'confirming' && state.isRepeat) && (
                <Button
                  {...sizeOf(large)}
                  variant="default"
                  onClick={isFixed ? props.onClose : payment.edit}
                  disabled={isSending}
                >
                  <Trans>Back</Trans>
                </Button>
              )}
              {/* Two buttons, so that a second Enter does not press the next one. */}
              {isEditing ? (
                <Button {...sizeOf(large)} key="continue" type="submit" disabled={!isComplete}>{t`Continue`}</Button>
              ) : (
                <Button
                  {...sizeOf(large)}
                  key="pay"
                  type="submit"
                  disabled={!isComplete}
                  loading={isSending}
                  onClick={gesture.onClick}
                >
                  {submitLabel}
                </Button>
              )}
            </Group>
          </Group>
        </Stack>
      </form>
    </>
  );
}

/** The form that sent the payment looks it up, and can send it again. */
function NoReply({ payment, state, large }: NoReplyProps) {
  const { finish, send, confirm, restart } = payment;
  return (
    <Suspense fallback={<Busy />}>
      <Unresolved
        payment={state.payment}
        large={large}
        error={state.error}
        onFound={({ status, reply, transaction_id, approval_id }) =>
          void finish(reply ?? { transaction_id, approval_id }, status === 'pending_approval')
        }
        // After a refusal the user can type the PIN again.
        onSendAgain={state.error ? confirm : () => void send()}
        onClose={restart}
      />
    </Suspense>
  );
}

interface NoReplyProps {
  payment: ReturnType<typeof usePayment>;
  state: Extract<PaymentState, { step: 'unknown' }>;
  large: boolean | undefined;
}

/** On a phone the form is the page, and its buttons are far below the title. */
function useScrollToTop(large = false): void {
  useEffect(() => {
    if (large) scrollTo(0, 0);
  }, [large]);
}

export const sizeOf = (large: boolean | undefined) => (large ? { size: 'lg' as const } : {});

function Confirmation({
  amount,
  summary,
  quote,
  setQuoted,
  large,
}: PaymentProps & { setQuoted: (isQuoted: boolean) => void }) {
  const { t } = useLingui();
  const heading = useRef<HTMLParagraphElement>(null);
  useScrollToTop(large);
  useEffect(() => heading.current?.focus({ preventScroll: large ?? false }), [large]);
  const { data, error } = useRead(
    ['quote', quote, amount],
    (options) => kissi.fees.quote({ ...quote, amount: String(amount) } as never, options),
    { enabled: quote !== undefined && amount !== null },
  );
  const isQuoted = !quote || data !== undefined || error !== null;
  useEffect(() => {
    setQuoted(isQuoted);
    return () => setQuoted(false);
  }, [isQuoted, setQuoted]);
  const facts: Fact[] = [
    ...summary,
    amount === undefined ? null : [t`Amount`, <strong key="amount">{money(amount ?? 0)}</strong>],
    quote && data ? [t`Fee`, data.fee === 0 ? t`None` : money(data.fee)] : null,
    quote && data && data.payee_fee > 0 ? [t`Recipient's fee`, money(data.payee_fee)] : null,
    quote && data && data.fee > 0 ? [t`Debited in total`, money(data.total_debited)] : null,
    quote && data && data.payer_commission > 0 ? [t`You earn`, money(data.payer_commission)] : null,
  ];
  return (
    <Stack gap="sm">
      <Text fw={600} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>{t`Check before you confirm`}</Text>
      <Facts facts={facts} />
      {!isQuoted && <Busy />}
      {error ? <Text size="sm" c="dimmed">{t`The fee could not be computed. The payment shows it.`}</Text> : null}
    </Stack>
  );
}

function Sending() {
  return (
    <Text size="sm" c="dimmed" role="status">
      <Trans>Sending. If the connection breaks, the console asks the service what became of it.</Trans>
    </Text>
  );
}

function Outcome(props: PaymentProps & { payment: ReturnType<typeof usePayment> }) {
  const { t } = useLingui();
  const { payment, doneTitle, receipt, onClose, large, onRestart, onDone } = props;
  const { state } = payment;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the outcome.
  useEffect(() => {
    if (state.step === 'done') onDone?.(state.reply);
  }, [state]);
  const isDone = state.step === 'done';
  useScrollToTop(large);
  return (
    <Stack gap="md">
      <Alert color={isDone ? 'kissi' : 'yellow'} icon={<Icon name={isDone ? 'approve' : 'clock'} />} role="status">
        <Text fw={600}>{isDone ? doneTitle : <Trans>Waits for approval</Trans>}</Text>
        {state.step === 'approval' && (
          <Text size="sm">
            <Trans>A second user decides. No money has moved.</Trans>{' '}
            {state.approvalId && <Link to={`/approvals/${state.approvalId}`}>{t`Show the request`}</Link>}
          </Text>
        )}
      </Alert>
      {state.step === 'done' && receipt?.(state.reply)}
      <Group justify="flex-end" gap="xs" grow={large ?? false} preventGrowOverflow={false}>
        {onRestart && (
          <Button
            {...sizeOf(large)}
            variant="default"
            onClick={() => {
              payment.restart();
              onRestart();
            }}
          >{t`New payment`}</Button>
        )}
        {onClose && <Button {...sizeOf(large)} onClick={onClose}>{t`Close`}</Button>}
      </Group>
    </Stack>
  );
}
