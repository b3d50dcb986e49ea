// The audit log: every change, who made it, and whether the hash chain is unbroken.
import type { AuditEntry, AuditVerification } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Code, Drawer, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Failed } from '../../components/states.tsx';
import { Id, Instant } from '../../components/values.tsx';
import { count } from '../../format/money.ts';
import { zoneName } from '../../format/time.ts';
import { Actor, AuditDetails, Resource } from './audit-entry.tsx';

export default function Audit() {
  const { t } = useLingui();
  const [entry, setEntry] = useState<AuditEntry | null>(null);
  return (
    <Page title={t`Audit log`} description={t`Entries are kept forever. Each one contains the hash of the one before.`}>
      <ChainState />
      <RecordList definition={useDefinition(setEntry)} />
      <Drawer
        opened={entry !== null}
        onClose={() => setEntry(null)}
        position="right"
        size="lg"
        title={t`Entry of the audit log`}
        closeButtonProps={{ 'aria-label': t`Close` }}
      >
        {entry && <AuditDetails entry={entry} />}
      </Drawer>
    </Page>
  );
}

/** Reads the whole chain, so it runs only when asked. */
function ChainState() {
  const [isAsked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useRead(['audit-chain'], (options) => kissi.audit.verify(options), {
    enabled: isAsked,
  });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  const [entries, broken] = [count(data?.entries ?? 0), count(data?.broken_at ?? 0)];
  return (
    <Alert
      color={!data ? 'gray' : data.valid ? 'kissi' : 'red'}
      icon={<Icon name={data?.valid === false ? 'alert' : 'shield'} />}
    >
      <Text size="sm" mb="xs" aria-live="polite">
        {!data && <Trans>The chain shows whether an entry was changed or removed later.</Trans>}
        {data?.valid && <Trans>The chain is unbroken: {entries} entries.</Trans>}
        {data?.valid === false && (
          <Trans>
            The chain is broken at entry {broken}. {entries} entries before it are valid. Tell the auditors, and keep
            the database as it is.
          </Trans>
        )}
      </Text>
      {data && <Anchors heads={data.heads} />}
      <Button
        variant="default"
        size="compact-sm"
        mt="xs"
        loading={isFetching}
        onClick={() => (isAsked ? void refetch() : setAsked(true))}
      >
        <Trans>Verify the chain</Trans>
      </Button>
    </Alert>
  );
}

/** What an anchor contains. Anchors are kept outside of the database, so the service does not know them. */
function Anchors({ heads: { audit, seals } }: { heads: AuditVerification['heads'] }) {
  const { t } = useLingui();
  return (
    <>
      <Text size="sm" mb="xs">
        <Trans>
          Compare the ends of the chains with the anchors that are kept outside of the database. npm run ledger:anchor
          writes one, npm run ledger:verify compares them.
        </Trans>
      </Text>
      <Facts
        facts={[
          [t`Audit log, entry ${count(audit.entry)}`, <Id key="audit" value={audit.hash} short />],
          ...seals.map(({ batch, mac }): Fact => [t`Ledger, batch ${batch}`, <Id key={batch} value={mac} short />]),
        ]}
      />
    </>
  );
}

function useDefinition(open: (entry: AuditEntry) => void): ListDefinition<AuditEntry> {
  const { t } = useLingui();
  const zone = zoneName();
  return {
    resource: 'audit',
    noun: t`entries`,
    fileName: 'audit-log',
    items: 'logs',
    read: (client, query, options) => client.audit.list(query, options),
    keyOf: ({ id }) => id,
    filters: [
      { kind: 'text', name: 'action', label: t`Action`, placeholder: t`Action, such as user.update` },
      { kind: 'text', name: 'actor_id', label: t`By`, placeholder: t`Id of user or key` },
      { kind: 'text', name: 'resource_id', label: t`Record`, placeholder: t`Id of the record` },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
    columns: [
      {
        name: 'action',
        title: t`Action`,
        keep: 'title',
        cell: (entry) => (
          <Button variant="transparent" size="compact-sm" p={0} onClick={() => open(entry)}>
            <Code>{entry.action}</Code>
          </Button>
        ),
      },
      { name: 'at', title: t`Time (${zone})`, cell: ({ at }) => <Instant at={at} /> },
      { name: 'actor', title: t`By`, cell: (entry) => <Actor entry={entry} /> },
      { name: 'resource', title: t`Record`, keep: 'tablet', cell: (entry) => <Resource entry={entry} /> },
      {
        name: 'ip',
        title: t`Address`,
        keep: 'desktop',
        cell: ({ ip }) => (
          <Text inherit style={{ whiteSpace: 'nowrap' }}>
            {ip ?? '–'}
          </Text>
        ),
      },
    ],
  };
}
