// An audit log entry: who did what, the values before and after, and its place in the hash chain.
import type { AuditEntry } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Code, Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCan } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Absent, Id, Instant, label } from '../../components/values.tsx';
import { isMoneyField, money } from '../../format/money.ts';
import classes from './administration.module.css';

/** `onFilter`: called when the user follows a link to similar entries. */
export function AuditDetails({ entry, onFilter }: { entry: AuditEntry; onFilter: () => void }) {
  const { t } = useLingui();
  const { changes, others } = detailsOf(entry.details);
  const names = entry.user_names;
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t`Time`, <Instant key="at" at={entry.at} />],
          [t`Action`, <Code key="action">{entry.action}</Code>],
          [t`By`, <Actor key="by" entry={entry} />],
          [t`Actor id`, <Id key="actor" value={entry.actor_id} />],
          [t`Record`, <Resource key="record" entry={entry} />],
          [t`Record id`, <Id key="resource" value={entry.resource_id} />],
          [t`Address`, entry.ip],
          [t`Request`, <Id key="request" value={entry.request_id} />],
        ]}
      />
      <Similar entry={entry} onFilter={onFilter} />
      {changes.length > 0 && <BeforeAfter changes={changes} names={names} />}
      {Object.keys(others).length > 0 && (
        <Facts
          narrow
          facts={Object.entries(others).map(([name, value]) => [
            label(name),
            <Value key={name} name={name} value={value} names={names} />,
          ])}
        />
      )}
      <Facts
        narrow
        facts={[
          [t`This entry's hash`, <Id key="hash" value={entry.hash} />],
          [t`Previous entry's hash`, <Id key="previous" value={entry.prev_hash} />],
        ]}
      />
    </Stack>
  );
}

function Similar({ entry: { action, actor_id, resource_id }, onFilter }: { entry: AuditEntry; onFilter: () => void }) {
  const list = (search: Record<string, string>, text: ReactNode) => (
    <Link to="/audit" search={search} size="sm" onClick={onFilter}>
      {text}
    </Link>
  );
  return (
    <Group gap="md">
      {list({ action }, <Trans>All {action}</Trans>)}
      {actor_id && list({ actor_id }, <Trans>All by this actor</Trans>)}
      {resource_id && list({ resource_id }, <Trans>All entries for this record</Trans>)}
    </Group>
  );
}

type Values = Record<string, unknown>;
type Change = [field: string, values: { from?: unknown; to?: unknown }];

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An entry has a `from` and a `to` for the record as a whole, or for each field that changed. */
function detailsOf({ from, to, ...others }: Values): { changes: Change[]; others: Values } {
  if (from === undefined && to === undefined) {
    const isChange = (value: unknown) => isRecord(value) && ('from' in value || 'to' in value);
    const entries = Object.entries(others);
    return {
      changes: entries.filter(([, value]) => isChange(value)).map(([name, value]) => [name, value as Change[1]]),
      others: Object.fromEntries(entries.filter(([, value]) => !isChange(value))),
    };
  }
  if (!isRecord(from ?? to)) return { changes: [['value', { from, to }]], others };
  const [before, after] = [(from ?? {}) as Values, (to ?? {}) as Values];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return { changes: names.map((name) => [name, { from: before[name], to: after[name] }]), others };
}

/** The users in the details, by id. */
type Names = AuditEntry['user_names'];

function BeforeAfter({ changes, names }: { changes: Change[]; names: Names }) {
  const { t } = useLingui();
  return (
    <Table fz="sm" verticalSpacing={6} className={classes.changes ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Field`}</Table.Th>
          <Table.Th>{t`Before`}</Table.Th>
          <Table.Th>{t`After`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(([name, { from, to }]) => (
          <Table.Tr key={name}>
            <Table.Td>{label(name)}</Table.Td>
            <Table.Td>
              <Value name={name} value={from} names={names} />
            </Table.Td>
            <Table.Td>
              <Value name={name} value={to} names={names} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Value({ name, value, names }: { name: string; value: unknown; names: Names }) {
  if (value === null || value === undefined || value === '') return <Absent />;
  if (typeof value === 'boolean') return value ? <Trans>Yes</Trans> : <Trans>No</Trans>;
  if (typeof value === 'object') {
    const isSimple = Array.isArray(value) && value.every((item) => typeof item !== 'object');
    return isSimple ? (
      value.map((item) => names[item] ?? item).join(', ')
    ) : (
      <Code block>{JSON.stringify(value, null, 2)}</Code>
    );
  }
  // A rule's threshold may be a number of payments instead of an amount.
  if (typeof value === 'number' && name !== 'threshold' && isMoneyField(name)) return money(value);
  return names[String(value)] ?? String(value);
}

export function Actor({ entry: { actor_type, actor_id, actor_name } }: { entry: AuditEntry }) {
  const can = useCan();
  if (!actor_id) return label(actor_type);
  const screen = { user: can('users') ? '/users' : null, key: can('api-keys') ? '/keys' : null }[actor_type as string];
  return (
    <Text span inherit className={classes.id}>
      {!actor_name && `${label(actor_type)} `}
      {screen ? (
        <Link to={`${screen}/${actor_id}`}>{actor_name ?? shortId(actor_id)}</Link>
      ) : (
        (actor_name ?? shortId(actor_id))
      )}
    </Text>
  );
}

/** The last characters tell records apart; the link has the full id. */
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
