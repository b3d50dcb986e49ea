// The credits that partners sent, with their outcome.
import type { InboundRecord } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useCan } from '../../api/user.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Absent, Instant, Money, Status, Titled } from '../../components/values.tsx';
import { usePartnerOptions } from './partner-name.tsx';

export default function Credits() {
  const { t } = useLingui();
  return (
    <Page title={t`Inbound credits`} description={t`Partner credits, including refused ones.`}>
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<InboundRecord> {
  const { t } = useLingui();
  const partners = usePartnerOptions();
  const canChoose = useCan()('partners:read');
  return {
    resource: 'credits',
    noun: t`credits`,
    fileName: 'inbound-credits',
    items: 'inbound',
    read: (client, query, options) => client.credits.list(query as never, options),
    keyOf: ({ inbound_id }) => inbound_id,
    linkOf: ({ inbound_id }) => `/credits/${inbound_id}`,
    filters: [
      { kind: 'text', name: 'reference', label: t`Reference` },
      ...(canChoose ? [{ kind: 'choice' as const, name: 'partner_id', label: t`Partner`, options: partners }] : []),
      { kind: 'choice', name: 'status', label: t`Status`, options: ['COMPLETED', 'REJECTED', 'FAILED', 'REVERSED'] },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
    columns: [
      {
        title: t`Reference`,
        keep: 'title',
        cell: ({ reference, narration }) => <Titled name={reference} note={narration} />,
      },
      { title: t`Partner`, cell: ({ partner_id, partner_name }) => <Party id={partner_id} name={partner_name} /> },
      { title: t`To`, keep: 'tablet', cell: ({ account_name }) => account_name ?? <Absent /> },
      { title: t`Amount (SLE)`, align: 'end', cell: ({ amount }) => <Money value={amount} /> },
      { title: t`Time`, keep: 'tablet', cell: ({ completed_at }) => <Instant at={completed_at} /> },
      {
        title: t`Status`,
        cell: ({ status, failure_code }) => (
          <>
            <Status value={status} />
            {failure_code && (
              <Text size="xs" c="dimmed">
                {failure_code}
              </Text>
            )}
          </>
        ),
      },
    ],
  };
}
