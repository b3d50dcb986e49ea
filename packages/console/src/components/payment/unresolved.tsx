// A payment that got no reply: asks the service what became of it, until the outcome is known.
import type { GetRequestResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { kissi, session } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { useUser } from '../../api/user.ts';
import { money } from '../../format/money.ts';
import { clockTime, fullInstant, zoneName } from '../../format/time.ts';
import { Facts } from '../facts.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { Link } from '../link.tsx';
import { RefusalNotice } from '../states.tsx';
import { isOpen, type OpenPayment } from './open-payments.ts';

/** Longer than any request waits in the browser, on the network or in the service. */
const LOST_AFTER_MS = 5 * 60_000;
const ASK_EVERY_MS = 10_000;

/** `wasOpen`: no window knew the outcome when this one asked. */
type Found = GetRequestResponse & { askedAt: number; wasOpen: boolean };

interface UnresolvedProps {
  payment: OpenPayment;
  large?: boolean | undefined;
  /** The outcome was shown, so that another payment can start. */
  onClose: () => void;
  /** Instead of showing the result here, for the form that sent the payment. */
  onFound?: (found: Found) => void;
  /** For the form that sent the payment, which still has its fields. */
  onSendAgain?: () => void;
  /** The refusal of a later attempt. */
  error?: unknown;
}

export default function Unresolved({ payment, onFound, ...props }: UnresolvedProps) {
  const { lastAttemptAt } = payment;
  const { onClose } = props;
  const { data, isFetching, isError, refetch } = useOutcome(payment);
  const isUnknown = data?.status === 'unknown';
  const isKnown = data !== undefined && !isUnknown && data.status !== 'refused';
  // Another window got the reply that the payment was refused.
  const isGone = isUnknown && !data.wasOpen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the outcome is known.
  useEffect(() => {
    if (isGone) onClose();
    else if (isKnown) onFound?.(data);
  }, [isGone, isKnown]);
  if (isKnown) return onFound ? null : <Result found={data} {...props} />;
  if (data?.status === 'refused') return <Refused found={data} {...props} />;
  if (isUnknown && data.askedAt >= lastAttemptAt + LOST_AFTER_MS) return <NotMade {...props} />;
  return (
    <Waiting
      payment={payment}
      isAnswered={data !== undefined && !isError}
      isAsking={isFetching}
      onAsk={() => void refetch()}
      {...props}
    />
  );
}

function useOutcome({ requestId, partyId }: OpenPayment) {
  const isLocked = useStore(session).kind === 'locked';
  return useQuery({
    queryKey: ['payment-request', requestId],
    queryFn: async ({ signal }): Promise<Found> => {
      const [askedAt, wasOpen] = [Date.now(), isOpen(requestId)];
      const found = await kissi.transactions.outcomeOfRequest(
        requestId,
        partyId === null ? {} : { party_id: partyId },
        { signal },
      );
      if (found.request_id !== requestId) throw new Error('This is not a reply from the service.');
      return { ...found, askedAt, wasOpen };
    },
    enabled: !isLocked,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'unknown' ? false : ASK_EVERY_MS),
  });
}

interface WaitingProps extends Omit<UnresolvedProps, 'onFound'> {
  /** The service replied that it has no record. */
  isAnswered: boolean;
  isAsking: boolean;
  onAsk: () => void;
}

/** Never says that the payment failed: it may have been made. */
function Waiting({ payment, isAnswered, isAsking, onAsk, onSendAgain, error, large }: WaitingProps) {
  const { t } = useLingui();
  const [sent, until] = [payment.lastAttemptAt, payment.lastAttemptAt + LOST_AFTER_MS].map((ms) =>
    clockTime(new Date(ms).toISOString()),
  );
  const zone = zoneName();
  return (
    <Stack gap="md">
      <Notice color="yellow" icon="offline" role="alert" title={<Trans>The outcome is not known yet</Trans>}>
        <Trans>
          A payment that was sent at {sent} {zone} got no reply. It may have been made.
        </Trans>{' '}
        {isAnswered ? (
          <Trans>
            The service has no record of it so far. The console keeps asking. If there is none at {until} {zone}, the
            request was lost on its way, and the payment was not made.
          </Trans>
        ) : (
          <Trans>The console asks the service what became of it.</Trans>
        )}{' '}
        {onSendAgain && (
          <Trans>You can send it again: it has the same request id, so the money moves at most once.</Trans>
        )}
      </Notice>
      <RefusalNotice error={error} />
      <Buttons large={large}>
        <Button {...sizeOf(large)} variant="default" loading={isAsking} onClick={onAsk}>{t`Ask again`}</Button>
        {onSendAgain && <Button {...sizeOf(large)} onClick={onSendAgain}>{t`Send again`}</Button>}
      </Buttons>
    </Stack>
  );
}

type OutcomeProps = Omit<UnresolvedProps, 'payment' | 'onFound'>;

function NotMade(props: OutcomeProps) {
  return (
    <Outcome {...props} color="gray" icon="clock" title={<Trans>The payment was not made</Trans>}>
      <Trans>
        Five minutes after it was sent, the service has no record of it: the request was lost on its way. No money has
        moved.
      </Trans>
    </Outcome>
  );
}

function Refused({ found, ...props }: OutcomeProps & { found: Found }) {
  const { code, error } = (found.reply ?? {}) as { code?: string; error?: string };
  return (
    <Outcome {...props} color="red" icon="alert" title={<Trans>The earlier payment was refused</Trans>}>
      {error} {code} <Trans>No money has moved.</Trans>
      <ApprovalLink id={found.approval_id} />
    </Outcome>
  );
}

function Result({ found, ...props }: OutcomeProps & { found: Found }) {
  const { t } = useLingui();
  const link = useTransactionLink();
  const { status, transaction_id, approval_id } = found;
  if (status === 'pending_approval') {
    return (
      <Outcome {...props} color="yellow" icon="clock" title={<Trans>The earlier payment waits for approval</Trans>}>
        <Trans>A second user decides. No money has moved.</Trans>
        <ApprovalLink id={approval_id} />
      </Outcome>
    );
  }
  const { amount, fee, created_at } = (found.reply ?? {}) as { amount?: number; fee?: number; created_at?: string };
  return (
    <Outcome {...props} color="kissi" icon="approve" title={<Trans>The earlier payment was made</Trans>}>
      <Trans>Its reply was lost, but the money has moved. Do not pay it a second time.</Trans>
      <Facts
        facts={[
          amount !== undefined && [t`Amount`, <strong key="amount">{money(amount)}</strong>],
          fee ? [t`Fee`, money(fee)] : null,
          created_at !== undefined && [t`Time`, fullInstant(created_at)],
          transaction_id !== null && [
            t`Transaction`,
            <Link key="transaction" to={link(transaction_id)}>
              {transaction_id}
            </Link>,
          ],
        ]}
      />
      <ApprovalLink id={approval_id} />
    </Outcome>
  );
}

function useTransactionLink(): (id: string) => string {
  const { agent_id, processor_id } = useUser();
  if (agent_id) return (id) => `/agent/receipt/${id}`;
  return processor_id ? (id) => `/shop/payments/${id}` : (id) => `/transactions/${id}`;
}

function ApprovalLink({ id }: { id: string | null }) {
  const { t } = useLingui();
  if (!id) return null;
  return (
    <>
      {' '}
      <Link to={`/approvals/${id}`}>{t`Show the request`}</Link>
    </>
  );
}

interface NoticeProps {
  color: string;
  icon: IconName;
  title: ReactNode;
  role?: string;
  children: ReactNode;
}

function Notice({ color, icon, title, role = 'status', children }: NoticeProps) {
  return (
    <Alert color={color} icon={<Icon name={icon} />} role={role}>
      <Text fw={600}>{title}</Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Alert>
  );
}

function Outcome({ onClose, large, ...notice }: OutcomeProps & NoticeProps) {
  const { t } = useLingui();
  return (
    <Stack gap="md">
      <Notice {...notice} />
      <Buttons large={large}>
        <Button {...sizeOf(large)} onClick={onClose}>{t`New payment`}</Button>
      </Buttons>
    </Stack>
  );
}

const Buttons = ({ large, children }: { large?: boolean | undefined; children: ReactNode }) => (
  <Group justify="flex-end" gap="xs" grow={large ?? false}>
    {children}
  </Group>
);

const sizeOf = (large: boolean | undefined) => (large ? { size: 'lg' } : {});
