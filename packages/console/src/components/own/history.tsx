// The movements of the user's own account: types as buttons, and as many movements as the user asks for.
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { count } from '../../format/money.ts';
import { Archived } from '../archived.tsx';
import { Empty, Waiting } from '../states.tsx';
import { Chips } from './chips.tsx';
import { Movements, type OwnMovement } from './movements.tsx';
import { OwnPage } from './own-page.tsx';

const PAGE_SIZE = '20';

interface Page {
  transactions: unknown[];
  next_cursor: string | null;
  archived_before?: string;
}

interface HistoryProps {
  title: string;
  home: string;
  /** The resource's name in the cache, and what identifies the account. */
  resource: readonly string[];
  /** Types of movements, with an empty one for all. */
  choices: readonly (readonly [type: string, name: string])[];
  read: (query: Record<string, string>, options: { signal: AbortSignal }) => PromiseLike<Page>;
  receiptAt: (id: string) => string;
}

export function OwnHistory({ title, home, choices, ...props }: HistoryProps) {
  const { type = '' } = useSearch({ strict: false }) as { type?: string };
  const navigate = useNavigate();
  const choose = (value: string) =>
    void navigate({ to: '.', search: (value ? { type: value } : {}) as never, replace: true });
  return (
    <OwnPage title={title} home={home} narrow>
      <Chips choices={choices} value={type} onChange={choose} />
      <Rows type={type} {...props} />
    </OwnPage>
  );
}

function Rows({
  type,
  resource,
  read,
  receiptAt,
}: Omit<HistoryProps, 'title' | 'home' | 'choices'> & { type: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...resource, 'history', type],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(type ? { type } : {}), ...(pageParam ? { cursor: pageParam } : {}) };
      return read(query, { signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (!data) return <Waiting error={error} retry={refetch} />;
  const rows = data.pages.flatMap(({ transactions }) => transactions as OwnMovement[]);
  const archivedBefore = data.pages.at(-1)?.archived_before;
  const isEmpty = rows.length === 0;
  return (
    <>
      {isEmpty && archivedBefore === undefined && <Empty icon="clock" title={<Trans>No payments yet</Trans>} />}
      {!isEmpty && <Movements rows={rows} receiptAt={receiptAt} />}
      {!hasNextPage && <Archived before={archivedBefore} />}
      {hasNextPage && (
        <Button size="lg" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more ({count(rows.length)} shown)</Trans>
        </Button>
      )}
    </>
  );
}
