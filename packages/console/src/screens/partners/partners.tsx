// The list of partners, with what each owes.
import type { Partner } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../api/user.ts';
import { NewRecord } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Instant, Money, Status } from '../../components/values.tsx';
import { ShortDebt } from './debt.tsx';

/** Loaded when it is opened. */
const CreatePartner = lazyPart(async () => ({ default: (await import('./partner-dialogs.tsx')).CreatePartner }));

export default function Partners() {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Page
      title={t`Partners`}
      description={t`Banks and remittance companies that credit wallets. Each owes what it credited until it settles.`}
      actions={
        can('partners') && (
          <NewRecord label={t`New partner`} dialog={(onClose) => <CreatePartner onClose={onClose} />} />
        )
      }
    >
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<Partner> {
  const { t } = useLingui();
  return {
    resource: 'partners',
    noun: t`partners`,
    fileName: 'partners',
    items: 'partners',
    read: (client, query, options) => client.partners.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/partners/${id}`,
    filters: [{ kind: 'text', name: 'search', label: t`Name` }],
    columns: [
      { title: t`Name`, keep: 'title', cell: ({ name }) => <strong>{name}</strong> },
      { title: t`Owes (SLE)`, align: 'end', cell: (partner) => <ShortDebt partner={partner} /> },
      {
        title: t`Limit (SLE)`,
        align: 'end',
        keep: 'tablet',
        cell: ({ outstanding_limit }) => <Money value={outstanding_limit} />,
      },
      { title: t`Webhook`, keep: 'desktop', cell: ({ webhook_url }) => (webhook_url ? t`Set up` : t`None`) },
      { title: t`Since`, keep: 'desktop', cell: ({ created_at }) => <Instant at={created_at} /> },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
    ],
  };
}
