// The pay-outs of one merchant, a new one, and the return of one that the bank sent back.
import type { PayoutRecord, Processor } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useReadWith } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { Action } from '../../../components/action.tsx';
import { BankAccounts } from '../../../components/bank-account/accounts.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Link } from '../../../components/link.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { Waiting } from '../../../components/states.tsx';
import { Absent, Id, Instant, Money, Status } from '../../../components/values.tsx';
import { money } from '../../../format/money.ts';
import { zoneName } from '../../../format/time.ts';
import MerchantPayment from '../../merchants/payment.tsx';
import { ReturnPayout } from './return-payout.tsx';

const EVERY_MS = 30_000;

export default function MerchantPayouts() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const record = useRead(['processors', id], (options) => kissi.processors.get(id, options), { everyMs: EVERY_MS });
  useReadWith(record, 'payouts');
  const { data, error, refetch } = record;
  return data ? <Content merchant={data.processor} /> : <Waiting error={error} retry={refetch} />;
}

function Content({ merchant }: { merchant: Processor }) {
  const { t } = useLingui();
  const can = useCan();
  const [isPaying, setPaying] = useState(false);
  const [returned, setReturned] = useState<PayoutRecord | null>(null);
  return (
    <Page
      title={merchant.business_name}
      badge={<Status value={merchant.status} />}
      above={[{ title: t`Pay-outs`, to: '/finance/payouts' }]}
      description={<Link to={`/merchants/${merchant.id}`}>{t`Open the merchant`}</Link>}
      actions={can('processors:payout') && <Button onClick={() => setPaying(true)}>{t`Pay out`}</Button>}
    >
      <Panel>
        <Facts
          facts={[
            [
              t`Balance`,
              merchant.balance === undefined ? null : <strong key="balance">{money(merchant.balance)}</strong>,
            ],
            [t`Merchant id`, merchant.merchant_id],
          ]}
        />
      </Panel>
      <BankAccounts merchant={merchant} frame={Action} />
      <RecordList definition={useDefinition(merchant, setReturned)} />
      {isPaying && <MerchantPayment kind="payout" merchant={merchant} onClose={() => setPaying(false)} />}
      {returned && <ReturnPayout merchant={merchant} payout={returned} onClose={() => setReturned(null)} />}
    </Page>
  );
}

function useDefinition(
  { id, merchant_id }: Processor,
  onReturn: (payout: PayoutRecord) => void,
): ListDefinition<PayoutRecord> {
  const { t } = useLingui();
  const can = useCan();
  const zone = zoneName();
  return {
    resource: `payouts-${id}`,
    noun: t`pay-outs`,
    fileName: `payouts-${merchant_id}`,
    items: 'payouts',
    read: (client, query, options) => client.processors.payouts(id, query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [{ kind: 'choice', name: 'state', label: t`State`, options: ['in_transit', 'cleared', 'returned'] }],
    columns: [
      { title: t`Paid out (${zone})`, keep: 'title', cell: ({ created_at }) => <Instant at={created_at} /> },
      { title: t`Reference`, cell: ({ reference }) => <Id value={reference} /> },
      { title: t`Bank account`, keep: 'tablet', cell: ({ bank_account }) => bank_account ?? <Absent /> },
      { title: t`Amount (SLE)`, align: 'end', cell: (row) => <Money value={row.amount} /> },
      {
        title: t`State`,
        cell: ({ state }) => <Status value={state} {...(state === 'cleared' ? { tone: 'kissi' } : {})} />,
      },
      ...(can('payouts:return')
        ? [
            {
              title: '',
              align: 'end' as const,
              cell: (row: PayoutRecord) =>
                row.state !== 'returned' && (
                  <Button variant="default" size="compact-sm" onClick={() => onReturn(row)}>{t`Return`}</Button>
                ),
            },
          ]
        : []),
    ],
  };
}
