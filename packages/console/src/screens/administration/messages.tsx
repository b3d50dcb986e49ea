// The messages of the local outbox: what customers and users of a test system would have received.
import { KissiError, type OutboxMessage } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Paper } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Instant, label, Titled } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';
import classes from './administration.module.css';

export default function Messages() {
  const { t } = useLingui();
  const isProduction = useUser().service.environment === 'production';
  const { error } = useRead(['messages', 'available'], (options) => kissi.messages.list({ limit: 1 }, options), {
    enabled: !isProduction,
  });
  const isAbsent = isProduction || (error instanceof KissiError && error.code === 'NOT_FOUND');
  const definition = useDefinition();
  return (
    <Page title={t`Messages`} description={t`This test system's SMS and emails. They are stored here and not sent.`}>
      {isAbsent ? (
        <Paper withBorder radius="md">
          <Empty icon="inbox" title={<Trans>Messages are not stored in production</Trans>}>
            <Trans>They go to the SMS and email provider and contain codes, so the service keeps no copy.</Trans>
          </Empty>
        </Paper>
      ) : (
        <RecordList definition={definition} />
      )}
    </Page>
  );
}

function useDefinition(): ListDefinition<OutboxMessage> {
  const { t } = useLingui();
  const zone = zoneName();
  return {
    resource: 'messages',
    noun: t`messages`,
    items: 'messages',
    read: (client, query, options) => client.messages.list(query, options),
    keyOf: ({ id }) => id,
    everyMs: 10_000,
    columns: [
      { title: t`To`, keep: 'title', cell: ({ to }) => <Titled name={to} /> },
      { title: t`About`, cell: ({ kind }) => label(kind) },
      { title: t`Text`, cell: ({ text }) => <span className={classes.message}>{text}</span> },
      { title: t`Time (${zone})`, cell: ({ created_at }) => <Instant at={created_at} /> },
    ],
  };
}
