// A form that moves money: fields, a quote to confirm, and a result that is true also after a lost connection.
import type { GetFeeQuoteData } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { money } from '../../format/money.ts';
import { CopyCurl } from '../copy-curl.tsx';
import { type Fact, Facts } from '../facts.tsx';
import { Icon } from '../icon.tsx';
import { Link } from '../link.tsx';
import { Busy, RefusalNotice } from '../states.tsx';
import { type Pay, usePayment } from './use-payment.ts';

export type QuoteRequest = Omit<NonNullable<GetFeeQuoteData['query']>, 'amount'>;

export interface PaymentProps {
  /** The fields of the form. */
  children: ReactNode;
  /** Minor units; null while the form is incomplete. */
  amount: number | null;
  isReady: boolean;
  /** What the user confirms: who gets the money, and from where. */
  summary: Fact[];
  /** Absent for payments that never have a fee. */
  quote?: QuoteRequest;
  pay: Pay;
  /** Such as "Pay out". */
  submitLabel: string;
  doneTitle: string;
  /** Details of the reply, such as a receipt. */
  receipt?: (reply: Record<string, unknown>) => ReactNode;
  changes?: string[];
  onClose?: () => void;
  /** Fields of the last step, such as the PIN, which is typed by a person who has seen amount and fee. */
  confirmation?: ReactNode;
  /** False while a field of the last step is missing. */
  isConfirmed?: boolean;
  /** Large targets and no curl command, for phones. */
  large?: boolean;
  /** Empties the fields for another payment. */
  onRestart?: () => void;
}

export function PaymentForm(props: PaymentProps) {
  const { children, amount, isReady, pay, submitLabel, changes, confirmation, isConfirmed = true, large } = props;
  const payment = usePayment(pay, changes);
  const { state } = payment;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state.step === 'editing') payment.confirm();
    else void payment.send();
  };
  if (state.step === 'done' || state.step === 'approval' || state.step === 'unknown') {
    return <Outcome {...props} payment={payment} />;
  }
  const isEditing = state.step === 'editing';
  const isComplete = isReady && amount !== null && (isEditing || isConfirmed);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {/* Stays mounted, so that nothing typed is lost on the way back. */}
        <Stack gap="md" display={isEditing ? undefined : 'none'}>
          {children}
        </Stack>
        {!isEditing && <Confirmation {...props} />}
        {!isEditing && confirmation}
        {state.step === 'sending' ? <Sending /> : <RefusalNotice error={state.error} />}
        <Group justify="space-between">
          {!large && (
            <CopyCurl call={(client) => pay(client, payment.requestId)} disabled={!isReady || amount === null} />
          )}
          <Group gap="xs" grow={large ?? false} flex={large ? 1 : undefined}>
            {!isEditing && (
              <Button {...sizeOf(large)} variant="default" onClick={payment.edit} disabled={state.step === 'sending'}>
                <Trans>Back</Trans>
              </Button>
            )}
            <Button {...sizeOf(large)} type="submit" disabled={!isComplete} loading={state.step === 'sending'}>
              {isEditing ? <Trans>Continue</Trans> : submitLabel}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

const sizeOf = (large: boolean | undefined) => (large ? { size: 'lg' } : {});

function Confirmation({ amount, summary, quote }: PaymentProps) {
  const { t } = useLingui();
  const { data, error } = useRead(
    ['quote', quote, amount],
    (options) => kissi.fees.quote({ ...quote, amount: String(amount) } as never, options),
    { enabled: quote !== undefined && amount !== null },
  );
  const facts: Fact[] = [
    ...summary,
    [t`Amount`, <strong key="amount">{money(amount ?? 0)}</strong>],
    quote && data ? [t`Fee`, data.fee === 0 ? t`None` : money(data.fee)] : null,
    quote && data && data.payee_fee > 0 ? [t`Fee of the recipient`, money(data.payee_fee)] : null,
    quote && data && data.fee > 0 ? [t`Debited in total`, money(data.total_debited)] : null,
    quote && data && data.payer_commission > 0 ? [t`You earn`, money(data.payer_commission)] : null,
  ];
  return (
    <Stack gap="sm">
      <Text fw={600}>
        <Trans>Check before you confirm</Trans>
      </Text>
      <Facts facts={facts} />
      {quote && !data && !error && <Busy />}
      {error ? (
        <Text size="sm" c="dimmed">
          <Trans>The fee could not be computed. The payment shows it.</Trans>
        </Text>
      ) : null}
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
  const { payment, doneTitle, receipt, onClose, large, onRestart } = props;
  const { state } = payment;
  if (state.step === 'unknown') return <Unknown payment={payment} large={large} />;
  const restart = () => {
    payment.restart();
    onRestart?.();
  };
  const isDone = state.step === 'done';
  return (
    <Stack gap="md">
      <Alert color={isDone ? 'kissi' : 'yellow'} icon={<Icon name={isDone ? 'approve' : 'clock'} />} role="status">
        <Text fw={600}>{isDone ? doneTitle : <Trans>Waits for approval</Trans>}</Text>
        {state.step === 'approval' && (
          <Text size="sm">
            <Trans>A second user decides. No money has moved.</Trans>{' '}
            {state.approvalId && (
              <Link to={`/approvals/${state.approvalId}`}>
                <Trans>Show the request</Trans>
              </Link>
            )}
          </Text>
        )}
      </Alert>
      {state.step === 'done' && receipt?.(state.reply)}
      <Group justify="flex-end" gap="xs" grow={large ?? false}>
        <Button {...sizeOf(large)} variant="default" onClick={restart}>
          <Trans>Another one</Trans>
        </Button>
        {onClose && (
          <Button {...sizeOf(large)} onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Never says that the payment failed: it may have been made. */
function Unknown({ payment, large }: { payment: ReturnType<typeof usePayment>; large: boolean | undefined }) {
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<Icon name="offline" />} role="alert">
        <Text fw={600}>
          <Trans>The outcome is not known yet</Trans>
        </Text>
        <Text size="sm">
          <Trans>
            The connection broke before the reply arrived. Send it again: it has the same request id, so the money moves
            at most once.
          </Trans>
        </Text>
      </Alert>
      <Group justify="flex-end" gap="xs" grow={large ?? false}>
        <Button {...sizeOf(large)} variant="default" onClick={() => void payment.lookUp()}>
          <Trans>Ask again</Trans>
        </Button>
        <Button {...sizeOf(large)} onClick={() => void payment.send()}>
          <Trans>Send again</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
