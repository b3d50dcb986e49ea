// The daily closes with their certificates, and closing a day.
import type { CloseSummary } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Text } from '@mantine/core';
import { useOverview } from '../../../api/overview.ts';
import { useCan } from '../../../api/user.ts';
import { Icon } from '../../../components/icon.tsx';
import { Link } from '../../../components/link.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Page } from '../../../components/page.tsx';
import { Empty } from '../../../components/states.tsx';
import { useOpened } from '../../../components/use-opened.ts';
import { Absent, Money, Status } from '../../../components/values.tsx';
import { ratioInPercent } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import { type Finance, stepBeforeClose } from '../open-items.ts';
import { dayAfter, dayBefore } from '../words.ts';
import { CertificateButton } from './certificate.tsx';
import { CloseDay } from './close-day.tsx';

export default function Closes() {
  const { t } = useLingui();
  const can = useCan();
  const [isOpen, setOpen] = useOpened();
  const { data } = useOverview();
  const closes = data?.finance?.closes;
  const next = closes?.last_date ? dayAfter(closes.last_date) : dayBefore();
  const nextName = date(next);
  return (
    <Page
      title={t`Daily closes`}
      description={t`Signed documents of each day's closing position (UTC). Each contains the hash of the previous one.`}
      actions={can('closes:write') && <Button onClick={() => setOpen(true)}>{t`Close a day`}</Button>}
    >
      {closes && closes.missing > 0 && (
        <Alert color="yellow" icon={<Icon name="clock" />}>
          <Text size="sm">
            <Trans>{nextName} is over and not closed.</Trans>{' '}
            {data?.finance && <NextStep day={next} finance={data.finance} />}
          </Text>
        </Alert>
      )}
      <RecordList definition={useDefinition()} />
      {isOpen && <CloseDay day={next < dayBefore() ? next : dayBefore()} onClose={() => setOpen(false)} />}
    </Page>
  );
}

/** What is to do before the day is closed. */
function NextStep({ day, finance }: { day: string; finance: Finance }) {
  const { t } = useLingui();
  const next = stepBeforeClose(day, finance);
  if (next.step === 'record') {
    return <Link to="/finance/statements">{t`Record its statements and match them first.`}</Link>;
  }
  if (next.step === 'close')
    return <Trans>Its statements are recorded and everything is matched: it can be closed.</Trans>;
  const { open } = next;
  return (
    <>
      <Trans>Its statements are recorded.</Trans>{' '}
      <Link to="/finance/reconciliation">
        <Plural
          value={open}
          one="# item up to yesterday has no match yet."
          other="# items up to yesterday have no match yet."
        />
      </Link>
    </>
  );
}

function useDefinition(): ListDefinition<CloseSummary> {
  const { t } = useLingui();
  return {
    resource: 'closes',
    noun: t`closes`,
    fileName: 'closes',
    items: 'closes',
    read: (client, query, options) => client.closes.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/finance/closes/${id}`,
    empty: (
      <Empty icon="document" title={t`No day is closed yet`}>
        <Trans>The service closes each day ten minutes after midnight (UTC).</Trans>
      </Empty>
    ),
    filters: [
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
    columns: [
      {
        title: t`Day`,
        keep: 'title',
        cell: ({ date: day, corrects }) => (
          <>
            {date(day)} {corrects && <Status value={t`Correction`} tone="blue" />}
          </>
        ),
      },
      { title: t`Number`, align: 'end', keep: 'desktop', cell: ({ number }) => number },
      { title: t`E-money (SLE)`, align: 'end', cell: (row) => <Money value={row.e_money} /> },
      { title: t`Trust money (SLE)`, align: 'end', keep: 'tablet', cell: (row) => <Money value={row.trust_balance} /> },
      {
        title: t`Cover`,
        align: 'end',
        cell: ({ cover_ratio }) => (cover_ratio === null ? <Absent /> : ratioInPercent(cover_ratio)),
      },
      { title: t`Suspense (SLE)`, align: 'end', keep: 'desktop', cell: (row) => <Money value={row.suspense} /> },
      { title: '', align: 'end', cell: (row) => <CertificateButton close={row} small /> },
    ],
  };
}
