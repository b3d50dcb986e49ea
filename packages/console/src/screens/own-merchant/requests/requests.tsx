// The payment requests and links of the merchant, and the form of a new link.
import type { PaymentRequest } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { kissi } from '../../../api/session.ts';
import { lazyPart } from '../../../components/lazy-part.ts';
import { Chips } from '../../../components/own/chips.tsx';
import own from '../../../components/own/own.module.css';
import { OwnPage } from '../../../components/own/own-page.tsx';
import { Empty, Loading, Waiting } from '../../../components/states.tsx';
import { Status } from '../../../components/status.tsx';
import { amount as amountOf, count } from '../../../format/money.ts';
import { clockTime, instant, today } from '../../../format/time.ts';
import { HOME, useMerchantId } from '../own-merchant.ts';
import classes from './requests.module.css';

/** Loaded when it is opened: it is used less often than charges. */
const NewLink = lazyPart(() => import('./new-link.tsx'));

const PAGE_SIZE = 20;

export function Requests() {
  const { t } = useLingui();
  const { status = '' } = useSearch({ strict: false }) as { status?: string };
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const choose = (value: string) =>
    void navigate({ to: '.', search: (value ? { status: value } : {}) as never, replace: true });
  return (
    <OwnPage title={t`Requests`} home={HOME} narrow>
      {isOpen ? (
        <Suspense fallback={<Loading />}>
          <NewLink onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <div className={classes.buttons}>
          <Button size="lg" component={Link} to="/shop/charge">{t`Charge`}</Button>
          <Button size="lg" variant="default" onClick={() => setOpen(true)}>{t`New link`}</Button>
        </div>
      )}
      <Chips
        choices={[
          ['', t`All`],
          ['open', t`Open`],
          ['paid', t`Paid`],
          ['declined', t`Declined`],
          ['expired', t`Expired`],
          ['cancelled', t`Cancelled`],
        ]}
        value={status}
        onChange={choose}
      />
      <Rows status={status} />
    </OwnPage>
  );
}

function Rows({ status }: { status: string }) {
  const merchantId = useMerchantId();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['own-merchant', merchantId, 'requests', status],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) => {
      const query = { limit: PAGE_SIZE, offset, ...(status ? { status } : {}) };
      return kissi.paymentRequests.list(query as never, { signal });
    },
    getNextPageParam: ({ total_count, offset, payment_requests }) =>
      offset + payment_requests.length < total_count ? offset + payment_requests.length : undefined,
  });
  if (!data) return <Waiting error={error} retry={refetch} />;
  const rows = data.pages.flatMap(({ payment_requests }) => payment_requests);
  if (rows.length === 0) {
    return (
      <Empty icon="qr" title={<Trans>No requests</Trans>}>
        <Trans>Charge a customer, or make a link that many can pay.</Trans>
      </Empty>
    );
  }
  return (
    <>
      <ul className={own.rows}>
        {rows.map((request) => (
          <li key={request.id}>
            <Row request={request} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button size="lg" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more ({count(rows.length)} shown)</Trans>
        </Button>
      )}
    </>
  );
}

function Row({ request }: { request: PaymentRequest }) {
  const { id, description, payee_name, amount, reference, status, single_use, payment_count, created_at } = request;
  const when = created_at.startsWith(today()) ? clockTime(created_at) : instant(created_at);
  return (
    <Link to={`/shop/requests/${id}`} className={own.row}>
      <b>{description === payee_name ? <Trans>Charge</Trans> : description}</b>
      <b className={own.end}>{amount === null ? <Trans>Any amount</Trans> : amountOf(amount)}</b>
      <small>
        {[when, reference].filter(Boolean).join(' · ')}
        {!single_use && (
          <>
            {' · '}
            <Plural value={payment_count} one="link, # payment" other="link, # payments" />
          </>
        )}
      </small>
      <small className={own.end}>
        <Status value={status} tone={TONES[status]} />
      </small>
    </Link>
  );
}

const TONES = { open: 'yellow', paid: 'kissi', declined: 'red', expired: 'gray', cancelled: 'gray' };
