// Whether the service works: its parts, its version, its backup and its audit chain.
import { useLingui } from '@lingui/react/macro';
import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOverview } from '../../api/overview.ts';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan, useUser } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Failed, Loading } from '../../components/states.tsx';
import { Instant, label, Status } from '../../components/values.tsx';
import { count } from '../../format/money.ts';
import { duration } from './duration.ts';

const EVERY_MS = 10_000;

export default function Health() {
  const { t } = useLingui();
  const { environment, time_zone } = useUser().service;
  const health = useRead(['health'], (options) => kissi.health.get(options), { everyMs: EVERY_MS });
  const { data, error } = health;
  return (
    <Page title={t`Health`} description={t`Updated every 10 seconds.`}>
      {error ? <Failed error={error} retry={() => void health.refetch()} /> : null}
      {!data && !error && <Loading />}
      {data && (
        <Panel title={t`Service`} aside={<Good isGood={data.status === 'ok'} good={t`Available`} bad={t`Degraded`} />}>
          <Facts
            facts={[
              [t`Version`, data.version],
              [t`Environment`, label(environment)],
              [
                t`Ledger`,
                <Good key="ledger" isGood={data.wallet_core === 'ok'} good={t`Available`} bad={t`Unavailable`} />,
              ],
              [t`Running for`, duration(data.uptime_seconds)],
              [t`Days begin at midnight`, time_zone],
            ]}
          />
        </Panel>
      )}
      <DataSafety />
    </Page>
  );
}

/** From the overview, which tells only some roles. */
function DataSafety() {
  const { t } = useLingui();
  const can = useCan();
  const { data, error } = useOverview({
    enabled: can('reports:read'),
    everyMs: EVERY_MS,
  });
  if (error) return <Failed error={error} />;
  if (!data?.health) return null;
  const { audit_chain: chain, wal_archiving: archiving } = data.health;
  const isFailing = (archiving.last_failed_at ?? '') > (archiving.last_archived_at ?? '');
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Panel
        title={t`Backup`}
        aside={
          <Good isGood={archiving.enabled && !isFailing} good={t`Archiving`} bad={isFailing ? t`Failing` : t`Off`} />
        }
      >
        <Facts
          facts={[
            [t`Last segment archived`, <Instant key="ok" at={archiving.last_archived_at} relative />],
            [t`Last failure`, <Instant key="failed" at={archiving.last_failed_at} relative />],
          ]}
        />
        <Note>{t`As reported by the database. Backups made with other tools do not appear here.`}</Note>
      </Panel>
      <Panel title={t`Audit chain`} aside={<Good isGood={chain.unsealed < 1000} good={t`Sealed`} bad={t`Late`} />}>
        <Facts
          facts={[
            [t`Entries to be sealed`, count(chain.unsealed)],
            [t`Oldest`, <Instant key="oldest" at={chain.oldest_at} relative />],
          ]}
        />
        <Note>{t`New entries join the chain within seconds. The audit log verifies it.`}</Note>
      </Panel>
    </SimpleGrid>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <p style={{ margin: '0.75rem 0 0', color: 'var(--mantine-color-dimmed)', fontSize: 'var(--mantine-font-size-sm)' }}>
    {children}
  </p>
);

function Good({ isGood, good, bad }: { isGood: boolean; good: string; bad: string }) {
  return <Status value={isGood ? good : bad} tone={isGood ? 'kissi' : 'red'} />;
}
