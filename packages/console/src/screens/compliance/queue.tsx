// The alerts that are open or in review, the one that is due first on top.
import type { ListedAlert } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Cards } from '../../components/list/cards.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RowTable } from '../../components/list/row-table.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { useIsPhone } from '../../components/use-is-phone.ts';
import { count } from '../../format/money.ts';
import { isOverdue } from './words.ts';

const PAGE = 100;
const MOST = 500;
const SHOWN = 25;

export function Queue({ definition }: { definition: ListDefinition<ListedAlert> }) {
  const isPhone = useIsPhone();
  const [shown, setShown] = useState(SHOWN);
  const { data, error, refetch } = useRead(['alerts', 'queue'], readQueue, { everyMs: 30_000 });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  if (data.alerts.length === 0) return <NothingToReview />;
  const rows = data.alerts.slice(0, shown);
  return (
    <Stack gap="sm">
      <Summary alerts={data.alerts} />
      <Paper withBorder radius="md" style={{ overflow: 'hidden' }}>
        {isPhone ? <Cards definition={definition} rows={rows} /> : <RowTable definition={definition} rows={rows} />}
      </Paper>
      <Group justify="space-between">
        <Total shown={rows.length} {...data} />
        {rows.length < data.alerts.length && (
          <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface QueueData {
  alerts: ListedAlert[];
  total: number;
}

/** The service lists the newest first, so the queue is read whole and sorted here. */
async function readQueue(options: { signal: AbortSignal }): Promise<QueueData> {
  const [open, inReview] = await Promise.all([readAll('open', options), readAll('in_review', options)]);
  const alerts = [...open.alerts, ...inReview.alerts].sort((a, b) => dueTime(a) - dueTime(b));
  return { alerts, total: open.total + inReview.total };
}

async function readAll(status: 'open' | 'in_review', options: { signal: AbortSignal }): Promise<QueueData> {
  const alerts: ListedAlert[] = [];
  for (;;) {
    const page = await kissi.alerts.list({ status, limit: String(PAGE), offset: String(alerts.length) }, options);
    alerts.push(...page.alerts);
    const isLast = page.alerts.length < PAGE || alerts.length >= Math.min(MOST, page.total_count);
    if (isLast) return { alerts, total: page.total_count };
  }
}

/** Alerts without a due time come last. */
const dueTime = ({ due_at }: ListedAlert) => (due_at ? Date.parse(due_at) : Number.MAX_SAFE_INTEGER);

function Summary({ alerts }: { alerts: ListedAlert[] }) {
  const overdue = alerts.filter((alert) => isOverdue(alert)).length;
  const open = alerts.filter(({ status }) => status === 'open').length;
  const inReview = alerts.length - open;
  return (
    <Text size="sm" aria-live="polite">
      {overdue > 0 ? (
        <Text component="strong" inherit fw={600}>
          <Plural value={overdue} one="# alert is past due." other="# alerts are past due." />
        </Text>
      ) : (
        <Trans>No alert is past due.</Trans>
      )}{' '}
      <Text component="span" c="dimmed" inherit>
        <Trans>
          {open} open, {inReview} in review.
        </Trans>
      </Text>
    </Text>
  );
}

function Total({ shown, alerts, total }: QueueData & { shown: number }) {
  const [part, all] = [count(shown), count(total)];
  const isPartial = alerts.length < total;
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        {part} of {all} alerts
      </Trans>
      {isPartial && (
        <>
          {' '}
          <Trans>The queue has only the newest 500 of each status.</Trans>
        </>
      )}
    </Text>
  );
}

function NothingToReview() {
  const { t } = useLingui();
  return (
    <Paper withBorder radius="md">
      <Empty icon="approve" title={t`Nothing to review`}>
        <Trans>New alerts appear here when a rule flags or blocks a payment.</Trans>
      </Empty>
    </Paper>
  );
}
