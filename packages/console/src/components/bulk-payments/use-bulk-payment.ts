// One bulk payment and its rows: read, and read again while the service checks or pays it.
import type { BulkPayment } from '@kissi/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient, readAgain, useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';

export const RESOURCE = 'bulk-payments';

const BUSY_MS = 1_500;
const WAITING_MS = 15_000;
const MINUTE_MS = 60_000;
const PAGE_SIZE = 50;

type Reply = { bulk_payment: BulkPayment };

const keyOf = (id: string) => [RESOURCE, id];

/** The service works on it, or will within a minute. */
export function isBusy({
  status,
  starts_at,
  progress,
  cancelled_count,
  valid_count,
  paid_count,
}: BulkPayment): boolean {
  if (status === 'approved') return starts_at === null || Date.parse(starts_at) - Date.now() < MINUTE_MS;
  if (status === 'stopped') return progress < 100 && cancelled_count + paid_count < valid_count;
  return status === 'checking' || status === 'running';
}

const isOver = ({ status }: BulkPayment) => ['completed', 'stopped', 'cancelled'].includes(status);

export function useBulkPayment(id: string) {
  const known = queryClient.getQueryData<Reply>(keyOf(id))?.bulk_payment;
  const result = useRead<Reply>(keyOf(id), (options) => kissi.bulkPayments.get(id, options), {
    everyMs: known && !isBusy(known) ? WAITING_MS : BUSY_MS,
    isPolled: ({ bulk_payment }) => isBusy(bulk_payment) || !isOver(bulk_payment),
  });
  const status = result.data?.bulk_payment.status;
  // The balance and the lists of payments.
  useEffect(() => {
    if (status === 'completed' || status === 'stopped') void readAgain('own-merchant', 'processor', 'partner');
  }, [status]);
  return result;
}

/** What a change replied is shown at once. */
export const keepBulkPayment = (reply: Reply): void => {
  queryClient.setQueryData(keyOf(reply.bulk_payment.id), reply);
};

/** `query`: which rows. The first of them are read again as the service goes on, all of them when it has done. */
export function useRows({ id, status, checked_count, paid_count, failed_count }: BulkPayment, query: object) {
  const result = useInfiniteQuery({
    queryKey: [`${RESOURCE}-rows-${id}`, query],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) =>
      kissi.bulkPayments.rows(id, { ...query, limit: PAGE_SIZE, offset } as never, { signal }),
    getNextPageParam: ({ total_count, offset, rows }) =>
      offset + rows.length < total_count ? offset + rows.length : undefined,
  });
  const { refetch, data } = result;
  const done = (data?.pages.length ?? 0) > 1 ? 0 : checked_count + paid_count + failed_count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the service has checked or paid more rows.
  useEffect(() => void refetch({ cancelRefetch: false }), [status, done]);
  return result;
}
