// What a customer's authorised payments hold, by whom and until when. Nothing is shown without any.
import type { SubscriberView } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { minorUnitsOf, money } from '../../format/money.ts';

export function HoldsPanel({ customer: { id, available } }: { customer: SubscriberView }) {
  const { t } = useLingui();
  const mayRead = useCan()('payments:read');
  const query = { subscriber_id: id, status: 'active' as const, limit: '100' };
  const { data } = useRead(['subscribers', 'holds', id], (options) => kissi.holds.list(query, options), {
    enabled: mayRead,
  });
  const holds = data?.holds ?? [];
  if (holds.length === 0) return null;
  return (
    <Panel title={t`Held for authorised payments (SLE)`}>
      <SmallTable
        columns={[
          { title: t`Merchant`, cell: ({ payee_id, payee_name }) => <Party id={payee_id} name={payee_name} /> },
          { title: t`Until`, cell: ({ expires_at }) => <Instant at={expires_at} /> },
          { title: t`Held`, end: true, cell: ({ reserved }) => <Money value={reserved} /> },
        ]}
        rows={holds}
      />
      {available !== undefined && (
        <Text size="sm" c="dimmed">{t`Available to the customer: ${money(minorUnitsOf(available))}`}</Text>
      )}
    </Panel>
  );
}
