// The bulk payments of all payers, and the upload of one that a partner or the treasury pays.
import type { BulkPayment } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../api/user.ts';
import { RESOURCE } from '../../components/bulk-payments/use-bulk-payment.ts';
import { STATES } from '../../components/bulk-payments/words.ts';
import { NewRecord } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Absent, Instant, Money, Status, Titled } from '../../components/values.tsx';
import { count } from '../../format/money.ts';
import { zoneName } from '../../format/time.ts';
import { usePartnerOptions } from '../partners/partner-name.tsx';
import { Payer } from './payer.tsx';

const EVERY_MS = 15_000;
const Upload = lazyPart(() => import('./upload.tsx'));

export default function BulkPayments() {
  const { t } = useLingui();
  const mayUpload = useCan()('bulk-payments:write');
  return (
    <Page
      title={t`Bulk payments`}
      description={t`Files that pay many people with one decision. Finance uploads and approves those of partners and the treasury; merchants their own.`}
      actions={mayUpload && <NewRecord label={t`Upload a file`} dialog={(close) => <Upload onClose={close} />} />}
    >
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<BulkPayment> {
  const { t, i18n } = useLingui();
  const zone = zoneName();
  return {
    resource: RESOURCE,
    noun: t`bulk payments`,
    fileName: 'bulk-payments',
    items: 'bulk_payments',
    read: (client, query, options) => client.bulkPayments.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/bulk-payments/${id}`,
    everyMs: EVERY_MS,
    filters: [
      {
        kind: 'choice',
        name: 'status',
        label: t`Status`,
        options: Object.entries(STATES).map(([value, [name]]) => ({ value, label: i18n._(name) })),
      },
      { kind: 'choice', name: 'partner_id', label: t`Partner`, options: usePartnerOptions() },
      {
        kind: 'choice',
        name: 'treasury',
        label: t`Treasury`,
        options: [{ value: 'true', label: t`Only the treasury` }],
      },
      { kind: 'party', name: 'processor_id', label: t`Merchant`, types: ['processor'], rare: true },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
    columns: [
      {
        title: t`Name`,
        keep: 'title',
        cell: (row) => <Titled name={row.name} note={<Payer payment={row} />} />,
      },
      { title: t`Rows`, align: 'end', keep: 'tablet', cell: ({ row_count }) => count(row_count) },
      { title: t`Sum (SLE)`, align: 'end', cell: ({ amount }) => <Money value={amount} /> },
      {
        title: t`Paid (SLE)`,
        align: 'end',
        keep: 'tablet',
        cell: ({ paid_amount }) => (paid_amount > 0 ? <Money value={paid_amount} /> : <Absent />),
      },
      {
        title: t`Not paid`,
        align: 'end',
        keep: 'desktop',
        cell: ({ invalid_count, failed_count }) => count(invalid_count + failed_count),
      },
      { title: t`Uploaded (${zone})`, keep: 'tablet', cell: ({ created_at }) => <Instant at={created_at} /> },
      {
        title: t`Status`,
        cell: ({ status }) => <Status value={status} tone={STATES[status][1]} text={i18n._(STATES[status][0])} />,
      },
    ],
  };
}
