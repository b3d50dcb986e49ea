// What happened with a customer: lists of payments, refusals and requests, and the timeline of everything.
import type { ListTransactionsReply } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { SegmentedControl } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useCan } from '../../api/user.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { usePaymentColumns } from '../../components/list/payment-columns.tsx';
import { Panel } from '../../components/page.tsx';
import { Loading } from '../../components/states.tsx';

/** Loaded when it is shown. */
const CustomerRequests = lazyPart(() => import('./requests.tsx'));
const RecordTimeline = lazyPart(() => import('../timeline/record-timeline.tsx'));
const CustomerRefusals = lazyPart(() => import('./refusals.tsx'));

type Payment = ListTransactionsReply['transactions'][number];

const PAGE_SIZE = 10;

interface ActivityProps {
  id: string;
  phone: string | undefined;
  isPep: boolean;
}

export function Activity({ id, phone, isPep }: ActivityProps) {
  const { t } = useLingui();
  const can = useCan();
  const tabs = [
    ...(can('payments:read') ? [{ value: 'payments', label: t`Payments` }] : []),
    ...(can('statements') ? [{ value: 'refusals', label: t`Refused` }] : []),
    ...(can('payment-requests:read') ? [{ value: 'requests', label: t`Requests` }] : []),
    ...(can('payments:read', 'audit:read') ? [{ value: 'timeline', label: t`Timeline` }] : []),
  ];
  const [tab, setTab] = useState(tabs[0]?.value);
  if (tabs.length === 0) return null;
  return (
    <Panel
      title={tabs.length > 1 ? t`History` : tabs[0]?.label}
      aside={
        tabs.length > 1 && (
          <SegmentedControl size="xs" data={tabs} value={tab ?? ''} onChange={setTab} aria-label={t`History`} />
        )
      }
    >
      {tab === 'payments' && <Payments id={id} />}
      {tab === 'requests' && (
        <Suspense fallback={<Loading />}>
          <CustomerRequests id={id} phone={phone} />
        </Suspense>
      )}
      {tab === 'refusals' && (
        <Suspense fallback={<Loading />}>
          <CustomerRefusals id={id} />
        </Suspense>
      )}
      {tab === 'timeline' && (
        <Suspense fallback={<Loading />}>
          <RecordTimeline
            record={{ kind: 'customer', id, phone, protectedBy: isPep ? ['subscribers', 'one', id] : undefined }}
          />
        </Suspense>
      )}
    </Panel>
  );
}

function Payments({ id }: { id: string }) {
  const { t } = useLingui();
  const columns = usePaymentColumns<Payment>();
  const definition: ListDefinition<Payment> = {
    resource: 'transactions',
    noun: t`payments`,
    items: 'transactions',
    fixed: { subscriber_id: id },
    pageSize: PAGE_SIZE,
    read: (client, query, options) => client.transactions.list(query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    columns: [columns.type, columns.time, columns.otherSide, columns.change, columns.balance(t`Balance (SLE)`)],
  };
  return <RecordList definition={definition} embedded />;
}
