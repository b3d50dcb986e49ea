// One entry of the audit log: who did what, the values before and after, and its place in the hash chain.
import type { AuditEntry } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Code, Stack, Table, Text } from '@mantine/core';
import { useCan } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Absent, Id, Instant, label } from '../../components/values.tsx';
import classes from './administration.module.css';

export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useLingui();
  const { before, after, ...others } = entry.details;
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t`Time`, <Instant key="at" at={entry.at} />],
          [t`Action`, <Code key="action">{entry.action}</Code>],
          [t`By`, <Actor key="by" entry={entry} />],
          [t`Id of the actor`, <Id key="actor" value={entry.actor_id} />],
          [t`Record`, <Resource key="record" entry={entry} />],
          [t`Id of the record`, <Id key="resource" value={entry.resource_id} />],
          [t`Address`, entry.ip],
          [t`Request`, <Id key="request" value={entry.request_id} />],
        ]}
      />
      {isRecord(before) || isRecord(after) ? (
        <BeforeAfter before={isRecord(before) ? before : {}} after={isRecord(after) ? after : {}} />
      ) : null}
      {Object.keys(others).length > 0 && (
        <Facts
          narrow
          facts={Object.entries(others).map(([name, value]) => [label(name), <Value key={name} value={value} />])}
        />
      )}
      <Facts
        narrow
        facts={[
          [t`Hash of this entry`, <Id key="hash" value={entry.hash} />],
          [t`Hash of the entry before`, <Id key="previous" value={entry.prev_hash} />],
        ]}
      />
    </Stack>
  );
}

type Values = Record<string, unknown>;

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function BeforeAfter({ before, after }: { before: Values; after: Values }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <Table fz="sm" verticalSpacing={6} className={classes.changes ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            <Trans>Field</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>Before</Trans>
          </Table.Th>
          <Table.Th>
            <Trans>After</Trans>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {names.map((name) => (
          <Table.Tr key={name}>
            <Table.Td>{label(name)}</Table.Td>
            <Table.Td>
              <Value value={before[name]} />
            </Table.Td>
            <Table.Td>
              <Value value={after[name]} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === '') return <Absent />;
  if (typeof value === 'boolean') return value ? <Trans>Yes</Trans> : <Trans>No</Trans>;
  if (typeof value === 'object') {
    const isSimple = Array.isArray(value) && value.every((item) => typeof item !== 'object');
    return isSimple ? value.join(', ') : <Code block>{JSON.stringify(value, null, 2)}</Code>;
  }
  return String(value);
}

export function Actor({ entry: { actor_type, actor_id } }: { entry: AuditEntry }) {
  const can = useCan();
  if (!actor_id) return label(actor_type);
  const screen = { user: can('users') ? '/users' : null, key: can('api-keys') ? '/keys' : null }[actor_type as string];
  return (
    <Text span inherit className={classes.id}>
      {label(actor_type)} {screen ? <Link to={`${screen}/${actor_id}`}>{shortId(actor_id)}</Link> : shortId(actor_id)}
    </Text>
  );
}

/** The last characters tell records apart; the link has the whole id. */
const shortId = (id: string) => (id.length > 16 ? `…${id.slice(-8)}` : id);

const SCREENS: Record<string, string> = {
  agent: '/agents',
  api_key: '/keys',
  approval: '/approvals',
  compliance_alert: '/alerts',
  partner: '/partners',
  processor: '/merchants',
  subscriber: '/customers',
  transaction: '/transactions',
  user: '/users',
};

export function Resource({ entry: { resource_type, resource_id } }: { entry: AuditEntry }) {
  if (!resource_type) return <Absent />;
  const screen = SCREENS[resource_type];
  return (
    <Text span inherit className={classes.id}>
      {label(resource_type)}{' '}
      {resource_id && screen ? (
        <Link to={`${screen}/${resource_id}`}>{shortId(resource_id)}</Link>
      ) : (
        resource_id && shortId(resource_id)
      )}
    </Text>
  );
}
