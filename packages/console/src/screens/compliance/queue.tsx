// The alerts that are open or in review, the one that is due first on top.
import type { ListedAlert } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { Rows } from '../../components/list/rows.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { count } from '../../format/money.ts';
import { isHidden } from './words.ts';

const SHOWN = 25;
/** The most that the service returns at once. */
const MOST = 100;

type Assignee = 'me' | 'none';

/** The service orders by due time. `assignee`: only alerts of the user, or of nobody. */
export function Queue({ definition, assignee }: { definition: ListDefinition<ListedAlert>; assignee?: Assignee }) {
  const { t } = useLingui();
  const [shown, setShown] = useState(SHOWN);
  const query = { pending: 'true', sort: 'due_at', ...(assignee ? { assignee } : {}) } as const;
  const { data, error, refetch } = useRead(
    ['alerts', 'queue', assignee, shown],
    (options) => kissi.alerts.list({ ...query, limit: String(shown) }, options),
    { everyMs: 30_000, keepPrevious: true },
  );
  const counts = useRead(
    ['alerts', 'queue-counts'],
    async (options) => {
      const [overdue, mine] = await Promise.all([
        kissi.alerts.list({ overdue: 'true', limit: String(MOST) }, options),
        kissi.alerts.list({ pending: 'true', assignee: 'me', limit: '1' }, options),
      ]);
      const hidden = overdue.alerts.filter(isHidden).length;
      return { overdue: overdue.total_count, hidden, mine: mine.total_count };
    },
    { everyMs: 30_000 },
  );
  if (!data) return <Waiting error={error} retry={refetch} rows={8} />;
  const { alerts, total_count } = data;
  const isEmpty = alerts.length === 0;
  const [part, all] = [count(alerts.length), count(total_count)];
  return (
    <Stack gap="sm">
      {!isEmpty && counts.data && <Summary {...counts.data} />}
      {/* Always ordered by due time. */}
      <Rows definition={definition} rows={alerts} empty={<NothingToReview />} />
      {!isEmpty && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">{t`${part} of ${all} alerts`}</Text>
          {alerts.length < total_count && shown < MOST && (
            <Button variant="default" onClick={() => setShown(shown + SHOWN)}>{t`Show more`}</Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** `hidden`: those of the overdue ones whose due time the list does not show. */
function Summary({ overdue, hidden, mine }: { overdue: number; hidden: number; mine: number }) {
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
        {hidden > 0 && (
          <>
            <Plural
              value={hidden}
              one="# of them is about a politically exposed person, without its due time."
              other="# of them are about politically exposed persons, without their due time."
            />{' '}
          </>
        )}
        <Plural value={mine} _0="None is yours." one="# is yours." other="# are yours." />
      </Text>
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
