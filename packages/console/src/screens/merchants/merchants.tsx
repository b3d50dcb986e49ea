// The list of merchants, with their balances.
import type { ListProcessorsResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../api/user.ts';
import { NewRecord } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Instant, Money, Status, Titled } from '../../components/values.tsx';

/** Loaded when it is opened. */
const CreateMerchant = lazyPart(async () => ({ default: (await import('./edit.tsx')).CreateMerchant }));

type Merchant = ListProcessorsResponse['processors'][number];

export default function Merchants() {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Page
      title={t`Merchants`}
      actions={
        can('processors:write') && (
          <NewRecord label={t`New merchant`} dialog={(onClose) => <CreateMerchant onClose={onClose} />} />
        )
      }
    >
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<Merchant> {
  const { t } = useLingui();
  return {
    resource: 'processors',
    noun: t`merchants`,
    fileName: 'merchants',
    items: 'processors',
    read: (client, query, options) => client.processors.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/merchants/${id}`,
    defaultSort: 'newest',
    filters: [
      { kind: 'text', name: 'search', label: t`Name, merchant id or phone` },
      { kind: 'choice', name: 'status', label: t`Status`, options: ['active', 'suspended'] },
    ],
    columns: [
      {
        title: t`Business`,
        keep: 'title',
        sort: { up: 'name' },
        cell: ({ business_name }) => <Titled name={business_name} />,
      },
      { title: t`Merchant id`, cell: ({ merchant_id }) => merchant_id },
      { title: t`Contact`, keep: 'tablet', cell: ({ contact_name }) => contact_name },
      { title: t`Phone number`, keep: 'desktop', cell: ({ phone_number }) => phone_number },
      {
        title: t`Registered`,
        keep: 'desktop',
        sort: { up: 'oldest', down: 'newest' },
        cell: ({ created_at }) => <Instant at={created_at} />,
      },
      { title: t`Balance (SLE)`, align: 'end', cell: ({ balance }) => <Money value={balance} /> },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
