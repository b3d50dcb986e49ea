// What happened with a record, newest first: payments, refusals, messages, changes, notes and approvals, as the reader may see them.
import { KissiError, type TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryClient } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { Link } from '../../components/link.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { Instant, label, Money } from '../../components/values.tsx';
import { type Entry, KINDS, type Kind, type TimelineRecord, type TimelineSource } from './entry.ts';
import { type Item, type Position, readPage } from './merge.ts';
import { useDeliveries, useMessages, useSent } from './messages.tsx';
import { usePaymentItself, usePayments, useRefusals } from './payments.tsx';
import { useAlerts, useApprovals, useCases, useChanges, useNotes } from './staff-work.tsx';
import classes from './timeline.module.css';

const PAGE_SIZE = 15;

interface RecordTimelineProps {
  record: TimelineRecord;
  /** Of a transaction. */
  transaction?: TransactionDetails;
}

export default function RecordTimeline({ record, transaction }: RecordTimelineProps) {
  const { t } = useLingui();
  const sources = useSources(record, transaction);
  const [chosen, choose] = useState<readonly Kind[]>([]);
  const kinds = KINDS.filter((kind) => sources.some((source) => source.kind === kind));
  const shown = sources.filter(({ kind }) => chosen.length === 0 || chosen.includes(kind));
  const { items, refused, error, isLoading, more, retry } = useTimeline(record, shown);
  const show = new Map(sources.map((source) => [source.id, source]));
  return (
    <Stack gap="md">
      <Kinds kinds={kinds} chosen={chosen} choose={choose} />
      {error ? <Failed error={error} retry={retry} /> : isLoading && <Loading rows={4} />}
      {items?.length === 0 && <Empty icon="clock" title={t`Nothing has happened yet`} />}
      {items && items.length > 0 && (
        <ol className={classes.entries}>
          {items.map((item) => (
            <EntryRow key={item.source + item.key} item={item} source={show.get(item.source)} />
          ))}
        </ol>
      )}
      {refused.length > 0 && (
        <Text size="sm" c="dimmed">
          {t`Not shown to you: ${refused.map(label).join(', ')}`}
        </Text>
      )}
      {more && (
        <Button variant="default" onClick={more.load} loading={more.isLoading} className={classes.more ?? ''}>
          {t`Show earlier`}
        </Button>
      )}
    </Stack>
  );
}

function useSources(record: TimelineRecord, transaction: TransactionDetails | undefined): TimelineSource[] {
  return [
    usePayments(record),
    usePaymentItself(transaction),
    useRefusals(record),
    useMessages(record),
    useDeliveries(record),
    useSent(transaction),
    useChanges(record),
    useNotes(record),
    useApprovals(record),
    useCases(record),
    useAlerts(record),
  ].flat() as TimelineSource[];
}

function useTimeline({ id, protectedBy }: TimelineRecord, sources: readonly TimelineSource[]) {
  const isLocked = useStore(session).kind === 'locked';
  const query = useInfiniteQuery({
    queryKey: ['timeline', id, sources.map((source) => source.id).join(' ')],
    queryFn: ({ pageParam, signal }) => readPage(sources, pageParam, PAGE_SIZE, { signal }),
    initialPageParam: null as Position | null,
    getNextPageParam: ({ rest }) => rest,
    enabled: !isLocked,
  });
  const { data, error, isLoading, hasNextPage } = query;
  const items = new Map(
    (data?.pages ?? []).flatMap((page) => page.items).map((item) => [item.source + item.key, item]),
  );
  // The access to the record has ended: what was read before is shown no longer.
  const isWithheld = error instanceof KissiError && error.code === 'PEP_ACCESS_REQUIRED';
  useEffect(() => {
    // What else the screen shows of the person was read before too.
    if (isWithheld) void readShown();
  }, [isWithheld]);
  // Some lists are for all readers of the audit log, and would not say that the access to the record has ended.
  const loadMore = async () => {
    if (protectedBy) {
      await queryClient.refetchQueries({ queryKey: protectedBy });
      if (queryClient.getQueryState(protectedBy)?.error) return;
    }
    await query.fetchNextPage();
  };
  return {
    items: data && !isWithheld ? [...items.values()] : undefined,
    refused: [...new Set(data?.pages.flatMap(({ refused }) => refused))],
    error: !data || isWithheld || query.isFetchNextPageError ? error : null,
    isLoading,
    more: hasNextPage ? { load: () => void loadMore(), isLoading: query.isFetchingNextPage } : undefined,
    retry: () => void query.refetch(),
  };
}

/** Without what was refused already, which would be asked for again and again. */
const readShown = () => queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.error === null });

interface KindsProps {
  kinds: readonly Kind[];
  /** None: all of them. */
  chosen: readonly Kind[];
  choose: (kinds: readonly Kind[]) => void;
}

function Kinds({ kinds, chosen, choose }: KindsProps) {
  const { t } = useLingui();
  const names: Record<Kind, string> = {
    payments: t`Payments`,
    refusals: t`Refused`,
    messages: t`Messages`,
    changes: t`Changes`,
    notes: t`Notes`,
    approvals: t`Approvals`,
    cases: t`Cases and alerts`,
  };
  if (kinds.length < 2) return null;
  return (
    <fieldset className={classes.kinds} aria-label={t`What to show`}>
      {kinds.map((kind) => {
        const isChosen = chosen.includes(kind);
        const others = chosen.filter((each) => each !== kind);
        return (
          <button
            key={kind}
            type="button"
            className={classes.kind}
            aria-pressed={isChosen}
            onClick={() => choose(isChosen ? others : [...others, kind])}
          >
            {names[kind]}
          </button>
        );
      })}
    </fieldset>
  );
}

function EntryRow({ item, source }: { item: Item; source: TimelineSource | undefined }) {
  if (!source) return null;
  const { what, note, by, to, status, amount, isSigned }: Entry = source.show(item.row as never);
  return (
    <li className={classes.entry} data-kind={source.kind}>
      <div className={classes.what}>
        <Text fw={600} inherit component="span">
          {to ? <Link to={to}>{what}</Link> : what}
        </Text>
        {status}
        {typeof amount === 'number' && (
          <span className={classes.amount}>
            <Money value={amount} signed={isSigned ?? false} />
          </span>
        )}
      </div>
      {note && <div className={classes.note}>{note}</div>}
      <Text size="xs" c="dimmed" component="div">
        <Instant at={item.at} />
        {by && <> · {by}</>}
      </Text>
    </li>
  );
}
