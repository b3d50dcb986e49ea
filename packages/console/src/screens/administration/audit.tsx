// The audit log: every change, who made it, and whether the hash chain is unbroken.
import type { AuditEntry, AuditVerification } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { actionInWords } from '../../components/audit-words.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Filter, ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { SideDialog } from '../../components/side-dialog.tsx';
import { Failed } from '../../components/states.tsx';
import { Id, Instant } from '../../components/values.tsx';
import { count } from '../../format/money.ts';
import { zoneName } from '../../format/time.ts';
import { AUDIT_ACTIONS } from './audit-actions.ts';
import { Actor, AuditDetails, Resource } from './audit-entry.tsx';

/** As many as the service returns at once. Of more users, the id is typed. */
const MOST_USERS = 100;

export default function Audit() {
  const { t } = useLingui();
  const [entry, setEntry] = useState<AuditEntry | null>(null);
  return (
    <Page title={t`Audit log`} description={t`Entries are kept forever. Each one contains the previous entry's hash.`}>
      <ChainState />
      <RecordList definition={useDefinition(setEntry)} />
      {entry && (
        <SideDialog onClose={() => setEntry(null)} title={t`Audit log entry`}>
          <AuditDetails entry={entry} onFilter={() => setEntry(null)} />
        </SideDialog>
      )}
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

/** A batch has the number of its chain times this, plus its place in the chain. */
const BATCHES_PER_CHAIN = 2 ** 32;

/** What an anchor contains. Anchors are kept outside the database, so the service does not know them. */
function Anchors({ heads: { audit, seals } }: { heads: AuditVerification['heads'] }) {
  const { t } = useLingui();
  return (
    <>
      <Text size="sm" mb="xs">
        <Trans>
          Compare the ends of the chains with the anchors that are kept outside the database. npm run ledger:anchor
          writes one, npm run ledger:verify compares them.
        </Trans>
      </Text>
      <Facts
        facts={[
          [t`Audit log, entry ${count(audit.entry)}`, <Id key="audit" value={audit.hash} short />],
          ...seals.map(({ batch, mac }): Fact => {
            const [chain, number] = [Math.floor(Number(batch) / BATCHES_PER_CHAIN), Number(batch) % BATCHES_PER_CHAIN];
            return [t`Ledger: chain ${chain}, batch ${number}`, <Id key={batch} value={mac} short />];
          }),
        ]}
      />
    </>
  );
}

/** By name for those who may read the users; others type the id. */
function usePersonFilter(): Filter {
  const { t } = useLingui();
  const mayRead = useCan()('users');
  const { data } = useRead(['users', 'names'], (options) => kissi.users.list({ limit: MOST_USERS }, options), {
    enabled: mayRead,
  });
  const { actor_id } = useSearch({ strict: false }) as { actor_id?: string };
  const users = data?.users ?? [];
  const isListed = actor_id === undefined || users.some(({ id }) => id === actor_id);
  if (!data || data.total_count > users.length || !isListed) {
    return { kind: 'text', name: 'actor_id', label: t`Person`, placeholder: t`User or key id` };
  }
  const options = users
    .map(({ id, first_name, last_name }) => ({ value: id, label: `${first_name} ${last_name}` }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return { kind: 'choice', name: 'actor_id', label: t`Person`, options };
}

/** In words. An action that is not among the usual ones, such as a refused one, comes from a link. */
function useActionFilter(): Filter {
  const { t } = useLingui();
  const { action } = useSearch({ strict: false }) as { action?: string };
  const names = new Set([...AUDIT_ACTIONS, ...(action ? [action] : [])]);
  const options = [...names]
    .map((value) => ({ value, label: actionInWords(value) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return { kind: 'choice', name: 'action', label: t`Action`, options };
}

function useDefinition(open: (entry: AuditEntry) => void): ListDefinition<AuditEntry> {
  const { t } = useLingui();
  const zone = zoneName();
  const person = usePersonFilter();
  return {
    resource: 'audit',
    noun: t`entries`,
    fileName: 'audit-log',
    items: 'logs',
    read: (client, query, options) => client.audit.list(query, options),
    keyOf: ({ id }) => id,
    onOpen: open,
    filters: [
      useActionFilter(),
      {
        kind: 'choice',
        name: 'actor_type',
        label: t`Made by`,
        options: [
          { value: 'user', label: t`People` },
          { value: 'key', label: t`API keys` },
          { value: 'service', label: t`Internal services` },
          { value: 'notification', label: t`Notifications` },
          { value: 'public', label: t`The public` },
          { value: 'system', label: t`The system` },
        ],
      },
      person,
      { kind: 'text', name: 'resource_id', label: t`Record`, placeholder: t`Record id` },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
    columns: [
      {
        title: t`Action`,
        keep: 'title',
        cell: (entry) => (
          <Button variant="transparent" size="compact-sm" p={0} onClick={() => open(entry)}>
            {actionInWords(entry.action)}
          </Button>
        ),
      },
      { title: t`Time (${zone})`, cell: ({ at }) => <Instant at={at} /> },
      { title: t`By`, cell: (entry) => <Actor entry={entry} /> },
      { title: t`Record`, keep: 'tablet', cell: (entry) => <Resource entry={entry} /> },
      {
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
