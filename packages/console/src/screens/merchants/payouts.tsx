// The bank accounts of a merchant, the pay-outs to them, and the return of one that the bank sent back.
import type { GetProcessorResponse, ListPayoutsResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { BankAccounts } from '../../components/bank-account/accounts.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Id, Instant, Money, Status } from '../../components/values.tsx';
import { ReturnPayout } from '../finance/payouts/return-payout.tsx';

type Merchant = GetProcessorResponse['processor'];
type Payout = ListPayoutsResponse['payouts'][number];

const TONES = { in_transit: 'yellow', cleared: 'kissi', returned: 'red' };

export default function MerchantPayouts({ merchant }: { merchant: Merchant }) {
  const [chosen, setChosen] = useState<Payout | null>(null);
  const definition = useDefinition(merchant.id, setChosen);
  return (
    <Stack gap="lg">
      <BankAccounts merchant={merchant} frame={Action} />
      <RecordList definition={definition} />
      {chosen && <ReturnPayout merchant={merchant} payout={chosen} onClose={() => setChosen(null)} />}
    </Stack>
  );
}

function useDefinition(id: string, choose: (payout: Payout) => void): ListDefinition<Payout> {
  const { t } = useLingui();
  const can = useCan();
  return {
    resource: `processor-payouts-${id}`,
    noun: t`pay-outs`,
    fileName: 'pay-outs',
    items: 'payouts',
    pageSize: 15,
    read: (client, query, options) => client.processors.payouts(id, query as never, options),
    keyOf: ({ transaction_id }) => transaction_id,
    linkOf: ({ transaction_id }) => `/transactions/${transaction_id}`,
    filters: [{ kind: 'choice', name: 'state', label: t`State`, options: ['in_transit', 'cleared', 'returned'] }],
    columns: [
      { title: t`Bank account`, keep: 'title', cell: ({ bank_account }) => bank_account ?? '–' },
      { title: t`Reference`, keep: 'tablet', cell: ({ reference }) => <Id value={reference} /> },
      { title: t`Time`, cell: ({ created_at }) => <Instant at={created_at} /> },
      { title: t`Amount (SLE)`, align: 'end', cell: ({ amount }) => <Money value={amount} /> },
      { title: t`State`, cell: ({ state }) => <Status value={state} tone={TONES[state]} /> },
      ...(can('payouts:return')
        ? [
            {
              title: '',
              align: 'end' as const,
              cell: (payout: Payout) =>
                payout.state !== 'returned' ? (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={(event) => {
                      event.stopPropagation();
                      choose(payout);
                    }}
                  >
                    <Trans>Return</Trans>
                  </Button>
                ) : null,
            },
          ]
        : []),
    ],
  };
}
