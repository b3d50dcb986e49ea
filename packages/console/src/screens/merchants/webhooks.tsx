// The webhook endpoints of a merchant, which it manages itself, and what was delivered to them.
import { useLingui } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Panel } from '../../components/page.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Instant, Titled } from '../../components/values.tsx';
import { useDeliveryList } from '../partners/delivery-list.tsx';

export default function MerchantWebhooks({ id }: { id: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useRead([`webhook-endpoints-${id}`], (options) =>
    kissi.webhookEndpoints.list({ processor_id: id, limit: '10' }, options),
  );
  const { list, columns } = useDeliveryList();
  const { event, attempts, lastReply, created, status } = columns;
  return (
    <Stack gap="lg">
      <Panel title={t`Endpoints`} flush={Boolean(data?.webhook_endpoints.length)}>
        {!data && <Waiting error={error} retry={refetch} rows={2} />}
        {data?.webhook_endpoints.length === 0 && <Empty icon="external" title={t`The merchant has no endpoints`} />}
        {data && data.webhook_endpoints.length > 0 && (
          <SmallTable
            columns={[
              { title: t`Address`, cell: ({ url, events }) => <Titled name={url} note={events.join(', ')} /> },
              { title: t`Changed`, cell: ({ updated_at }) => <Instant at={updated_at} />, rare: true },
            ]}
            rows={data.webhook_endpoints}
          />
        )}
      </Panel>
      <RecordList
        definition={{
          ...list,
          resource: `deliveries-${id}`,
          fixed: { processor_id: id },
          columns: [event, attempts, lastReply, created, status],
        }}
      />
    </Stack>
  );
}
