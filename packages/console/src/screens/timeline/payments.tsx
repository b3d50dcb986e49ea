// Payments and refused payments in the timeline of a record.
import type { ListTransactionsReply, RefusedPayment, TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { otherName, Party } from '../../components/party.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { label } from '../../components/values.tsx';
import { channelName } from '../refusals/list.tsx';
import { useRefusalReason } from '../refusals/reason.ts';
import { continued, paged, type TimelineRecord, type TimelineSource } from './entry.ts';

type Payment = ListTransactionsReply['transactions'][number];
type Reading = { permission: string; read: TimelineSource<Payment>['read'] };

export function usePayments({ kind, id }: TimelineRecord): TimelineSource<Payment>[] {
  const can = useCan();
  const typeName = useTypeName();
  const ofAccount = (account: { subscriber_id: string } | { partner_id: string }): Reading => ({
    permission: 'payments:read',
    read: continued(
      (page, options) => kissi.transactions.list({ ...account, ...page }, options),
      ({ transactions }) => transactions as Payment[],
    ),
  });
  const readings: Partial<Record<TimelineRecord['kind'], Reading>> = {
    customer: ofAccount({ subscriber_id: id }),
    partner: ofAccount({ partner_id: id }),
    agent: {
      permission: 'agents:history',
      read: continued(
        (page, options) => kissi.agents.transactions(id, page, options),
        ({ transactions }) => transactions as Payment[],
      ),
    },
    merchant: {
      permission: 'processors:history',
      read: continued(
        (page, options) => kissi.processors.transactions(id, page, options),
        ({ transactions }) => transactions as Payment[],
      ),
    },
  };
  const reading = readings[kind];
  if (!reading || !can(reading.permission)) return [];
  return [
    {
      id: 'payments',
      kind: 'payments',
      read: reading.read,
      at: ({ created_at }) => created_at,
      key: ({ transaction_id }) => transaction_id,
      show: (row) => ({
        what: typeName(row.type),
        note: <Party id={row.counterparty} name={otherName(row)} />,
        by: authorOf(row),
        to: `/transactions/${row.transaction_id}`,
        amount: row.direction === 'debit' ? -row.amount : row.amount,
        isSigned: true,
      }),
    },
  ];
}

type Author = Pick<
  Payment,
  'actor_type' | 'actor_id' | 'actor_name' | 'payer_id' | 'payee_id' | 'payer_name' | 'payee_name'
>;

/** A user or key by name, or the customer who paid. */
function authorOf({ actor_type, actor_id, actor_name, ...parties }: Author): string | null {
  if (actor_name) return actor_name;
  if (actor_id && actor_id === parties.payer_id) return parties.payer_name ?? null;
  if (actor_id && actor_id === parties.payee_id) return parties.payee_name ?? null;
  return actor_type ? label(actor_type) : null;
}

/** A transaction itself, and its refunds and reversals. */
export function usePaymentItself(transaction: TransactionDetails | undefined): TimelineSource<Related>[] {
  const { t } = useLingui();
  const typeName = useTypeName();
  if (!transaction) return [];
  const itself = { ...transaction, relation: null };
  return [
    {
      id: 'payment',
      kind: 'payments',
      read: async () => ({ rows: [...transaction.related, itself].sort(newestFirst) }),
      at: ({ created_at }) => created_at,
      key: ({ transaction_id }) => transaction_id,
      show: ({ relation, transaction_id, type, amount }) =>
        relation === null
          ? { what: typeName(type), note: t`This payment`, by: transaction.actor_name, amount }
          : { what: `${label(relation)}: ${typeName(type)}`, to: `/transactions/${transaction_id}`, amount },
    },
  ];
}

type Related = Pick<TransactionDetails, 'transaction_id' | 'type' | 'amount' | 'created_at'> & {
  relation: string | null;
};

const newestFirst = (one: Related, other: Related) => Date.parse(other.created_at) - Date.parse(one.created_at);

export function useRefusals({ kind, id }: TimelineRecord): TimelineSource<RefusedPayment>[] {
  const { t } = useLingui();
  const can = useCan();
  const typeName = useTypeName();
  const reason = useRefusalReason();
  const { subscribers, agents, processors } = kissi;
  const lists = {
    customer: { permission: 'statements', list: subscribers.refusals },
    agent: { permission: 'agents:history', list: agents.refusals },
    merchant: { permission: 'processors:history', list: processors.refusals },
  };
  const found = kind in lists ? lists[kind as keyof typeof lists] : undefined;
  if (!found || !can(found.permission)) return [];
  return [
    {
      id: 'refusals',
      kind: 'refusals',
      read: paged(
        (page, options) => found.list(id, page, options),
        ({ refusals }) => refusals,
      ),
      at: ({ at }) => at,
      key: (row) => row.id,
      show: ({ type, attempts, amount, place_id, place_name, channel, ...row }) => ({
        what: t`${typeName(type)} refused`,
        note: [reason(row), attempts > 1 && t`${attempts} attempts like this`].filter(Boolean).join(' · '),
        by: place_id && kind === 'customer' ? <Party id={place_id} name={place_name} /> : channelName(channel),
        amount,
      }),
    },
  ];
}
