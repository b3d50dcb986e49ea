// Payment requests that a customer made, and those sent to the customer's number.
import { useLingui } from '@lingui/react/macro';
import { Stack, Text, Title } from '@mantine/core';
import { RecordList } from '../../components/list/list.tsx';
import { Party } from '../../components/party.tsx';
import { useRequestColumns, useRequestList } from '../../components/request-columns.tsx';

const PAGE_SIZE = 5;

export default function CustomerRequests({ id, phone }: { id: string; phone: string | undefined }) {
  const { t } = useLingui();
  const { what, time, amount, status } = useRequestColumns();
  const asked = useRequestList('requests-asked', { subscriber_id: id });
  const incoming = useRequestList('requests-incoming', { payer_phone: phone ?? '' });
  const empty = <Text c="dimmed" size="sm" p="md">{t`None so far.`}</Text>;
  const payee = {
    title: t`Asked by`,
    cell: (row: { processor_id: string | null; subscriber_id: string | null; payee_name: string }) => (
      <Party id={row.processor_id ?? row.subscriber_id} name={row.payee_name} />
    ),
  };
  return (
    <Stack gap="lg">
      {phone !== undefined && (
        <section>
          <Title order={3} size="h5" mb="xs">{t`Sent to the customer`}</Title>
          <RecordList
            embedded
            definition={{
              ...incoming,
              name: 'incoming',
              filters: [],
              empty,
              pageSize: PAGE_SIZE,
              columns: [what, payee, time, amount, status],
            }}
          />
        </section>
      )}
      <section>
        <Title order={3} size="h5" mb="xs">{t`Made by the customer`}</Title>
        <RecordList
          embedded
          definition={{
            ...asked,
            name: 'asked',
            empty,
            filters: [],
            pageSize: PAGE_SIZE,
            columns: [what, time, amount, status],
          }}
        />
      </section>
    </Stack>
  );
}
