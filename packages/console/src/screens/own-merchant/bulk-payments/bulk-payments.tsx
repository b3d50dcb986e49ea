// The merchant's bulk payments, newest first, and the upload of the next file.
import type { BulkPayment } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { kissi } from '../../../api/session.ts';
import { useCan } from '../../../api/user.ts';
import { RowCount } from '../../../components/bulk-payments/totals.tsx';
import { RESOURCE } from '../../../components/bulk-payments/use-bulk-payment.ts';
import { STATES } from '../../../components/bulk-payments/words.ts';
import { lazyPart } from '../../../components/lazy-part.ts';
import own from '../../../components/own/own.module.css';
import { OwnAction } from '../../../components/own/own-action.tsx';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { Empty, Loading, Waiting } from '../../../components/states.tsx';
import { Status } from '../../../components/status.tsx';
import { amount, count } from '../../../format/money.ts';
import { instant } from '../../../format/time.ts';
import { HOME } from '../own-merchant.ts';
import { LIST } from './list.ts';

const PAGE_SIZE = 20;
const EVERY_MS = 15_000;

const UploadForm = lazyPart(() => import('../../../components/bulk-payments/upload-form.tsx'));

export default function BulkPayments() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const mayUpload = useCan()('bulk-payments:write');
  return (
    <OwnPage title={t`Bulk payments`} home={HOME} narrow>
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <UploadForm
            frame={OwnAction}
            payer={{}}
            list={LIST}
            onClose={() => setOpen(false)}
            onUploaded={({ id }) => void navigate({ to: `${LIST}/${id}` })}
          />
        </Suspense>
      )}
      {!isOpen && mayUpload && <Button size="lg" onClick={() => setOpen(true)}>{t`Upload a file`}</Button>}
      <List />
    </OwnPage>
  );
}

function List() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [RESOURCE, 'list'],
    initialPageParam: 0,
    refetchInterval: EVERY_MS,
    queryFn: async ({ pageParam: offset, signal }) =>
      kissi.bulkPayments.list({ limit: PAGE_SIZE, offset } as never, { signal }),
    getNextPageParam: ({ total_count, offset, bulk_payments }) =>
      offset + bulk_payments.length < total_count ? offset + bulk_payments.length : undefined,
  });
  if (!data) return <Waiting error={error} retry={refetch} />;
  const payments = data.pages.flatMap(({ bulk_payments }) => bulk_payments);
  if (payments.length === 0) {
    return (
      <Empty icon="menu" title={<Trans>No bulk payments yet</Trans>}>
        <Trans>Pay many people with one file, such as salaries. A second login approves it.</Trans>
      </Empty>
    );
  }
  return (
    <>
      <ul className={own.rows}>
        {payments.map((payment) => (
          <li key={payment.id}>
            <Row payment={payment} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button size="lg" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more ({count(payments.length)} shown)</Trans>
        </Button>
      )}
    </>
  );
}

function Row({ payment: { id, name, status, row_count, amount: sum, created_at } }: { payment: BulkPayment }) {
  const { i18n } = useLingui();
  const [state, tone] = STATES[status];
  return (
    <Link to={`${LIST}/${id}`} className={own.row}>
      <b>{name}</b>
      <b className={own.end}>{amount(sum)}</b>
      <small>
        {instant(created_at)} · <RowCount value={row_count} />
      </small>
      <small className={own.end}>
        <Status value={status} tone={tone} text={i18n._(state)} />
      </small>
    </Link>
  );
}
