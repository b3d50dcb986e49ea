// Refused payments of a customer, a merchant or an agent, with the reasons.
import type { Kissi, RefusedPayment } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Box } from '@mantine/core';
import type { ListDefinition, Listing, Query } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Party } from '../../components/party.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Absent, Instant, label, Money, Titled } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';
import { useRefusalReason } from './reason.ts';

interface RefusalListProps {
  /** The resource's name in the cache. */
  resource: string;
  read: (client: Kissi, query: Query, options: { signal?: AbortSignal }) => Listing;
  /** Of a customer: where it was. */
  withPlace?: boolean;
  embedded?: boolean;
}

export function RefusalList({ resource, read, withPlace = false, embedded = false }: RefusalListProps) {
  const { t } = useLingui();
  const typeName = useTypeName();
  const reason = useRefusalReason();
  const zone = zoneName();
  const place: ListDefinition<RefusedPayment>['columns'][number] = {
    title: t`Where`,
    keep: 'tablet',
    cell: ({ place_id, place_name, channel }) =>
      place_id ? <Party id={place_id} name={place_name} /> : channelName(channel),
  };
  const definition: ListDefinition<RefusedPayment> = {
    resource,
    name: 'refusals',
    noun: t`refused payments`,
    fileName: 'refused-payments',
    items: 'refusals',
    pageSize: embedded ? 10 : 15,
    read,
    keyOf: ({ id }) => id,
    columns: [
      {
        title: t`Reason`,
        keep: 'title',
        cell: ({ type, attempts, ...row }) => (
          <Box miw="11rem">
            <Titled
              name={reason(row)}
              note={[typeName(type), attempts > 1 && t`${attempts} attempts like this`].filter(Boolean).join(' · ')}
            />
          </Box>
        ),
      },
      { title: t`Time (${zone})`, cell: ({ last_at }) => <Instant at={last_at} /> },
      withPlace ? place : { title: t`Requested by`, keep: 'tablet', cell: ({ channel }) => channelName(channel) },
      {
        title: t`Amount (SLE)`,
        align: 'end',
        cell: ({ amount }) => (amount === null ? <Absent /> : <Money value={amount} />),
      },
    ],
  };
  return <RecordList definition={definition} embedded={embedded} />;
}

export const channelName = (channel: RefusedPayment['channel']) =>
  ({ ussd: 'USSD', api: 'API' })[channel as string] ?? label(channel);
