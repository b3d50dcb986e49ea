// The network as a tree: super-agents with the sum of their network, and their sub-agents when opened.
import type { ListAgentFloatsResponse } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { PageButtons } from '../../components/list/pages.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Money, Status } from '../../components/values.tsx';
import { Hours } from './hours.tsx';
import classes from './network.module.css';

export type Float = ListAgentFloatsResponse['floats'][number];

const PAGE_SIZE = 50;
const MAX_CHILDREN = 100;
const EVERY_MS = 60_000;

export function Network() {
  const { t } = useLingui();
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const query = { type: 'super_agent' as const, limit: String(PAGE_SIZE), offset: String(offset) };
  const { data, error, refetch } = useRead(
    ['agent-floats', query],
    (options) => kissi.reports.agentFloats(query, options),
    { everyMs: EVERY_MS, keepPrevious: true },
  );
  if (!data) return <Waiting error={error} retry={refetch} rows={8} />;
  const { floats, total_count } = data;
  if (floats.length === 0) return <Empty icon="network" title={<Trans>There are no agents yet</Trans>} />;
  const toggle = (id: string) =>
    setOpened((old) => new Set(old.has(id) ? [...old].filter((other) => other !== id) : [...old, id]));
  const areAllOpen = floats.every(({ agent_id }) => opened.has(agent_id));
  const end = offset + floats.length;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          <Plural value={total_count} one="# network" other="# networks" />
        </Text>
        <Button
          variant="default"
          size="compact-md"
          onClick={() => setOpened(new Set(areAllOpen ? [] : floats.map(({ agent_id }) => agent_id)))}
        >
          {areAllOpen ? <Trans>Close all</Trans> : <Trans>Open all</Trans>}
        </Button>
      </Group>
      <Paper withBorder radius="md" className={classes.tree ?? ''}>
        <div className={classes.head} aria-hidden>
          <span>{t`Agent`}</span>
          <span>{t`Float (SLE)`}</span>
          <span>{t`With sub-agents (SLE)`}</span>
          <span>{t`Lasts`}</span>
        </div>
        <ul aria-label={t`Network`}>
          {floats.map((float) => (
            <SuperAgent key={float.agent_id} float={float} isOpen={opened.has(float.agent_id)} toggle={toggle} />
          ))}
        </ul>
      </Paper>
      <Group justify="flex-end">
        <PageButtons
          previous={offset > 0 ? () => setOffset(Math.max(0, offset - PAGE_SIZE)) : undefined}
          next={end < total_count ? () => setOffset(end) : undefined}
        />
      </Group>
    </>
  );
}

interface SuperAgentProps {
  float: Float;
  isOpen: boolean;
  toggle: (id: string) => void;
}

function SuperAgent({ float, isOpen, toggle }: SuperAgentProps) {
  const { t } = useLingui();
  const { agent_id, business_name, sub_agent_count, network_balance, network_hours_left, hours_left } = float;
  return (
    <li>
      <div className={classes.row}>
        <div className={classes.name}>
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={t`Sub-agents of ${business_name}`}
            disabled={sub_agent_count === 0}
            onClick={() => toggle(agent_id)}
          >
            {sub_agent_count > 0 && <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={16} />}
          </UnstyledButton>
          <Name float={float} />
          <Text size="xs" c="dimmed" className={classes.count ?? ''}>
            <Plural value={sub_agent_count} one="# sub-agent" other="# sub-agents" />
          </Text>
        </div>
        <Cell title={t`Float (SLE)`}>
          <Money value={float.balance} />
        </Cell>
        <Cell title={t`With sub-agents (SLE)`}>
          <Money value={network_balance} />
        </Cell>
        <Cell title={t`Lasts`}>
          <Hours value={isOpen ? hours_left : network_hours_left} />
        </Cell>
      </div>
      {isOpen && <SubAgents of={agent_id} />}
    </li>
  );
}

function SubAgents({ of }: { of: string }) {
  const { t } = useLingui();
  const query = { parent_agent_id: of, limit: String(MAX_CHILDREN) };
  const { data, error, refetch } = useRead(
    ['agent-floats', query],
    (options) => kissi.reports.agentFloats(query, options),
    { everyMs: EVERY_MS },
  );
  if (!data) return <Waiting error={error} retry={refetch} rows={3} />;
  return (
    <ul>
      {data.floats.map((float) => (
        <li key={float.agent_id}>
          <div className={`${classes.row} ${classes.child}`}>
            <div className={classes.name}>
              <Name float={float} />
            </div>
            <Cell title={t`Float (SLE)`}>
              <Money value={float.balance} />
            </Cell>
            <span />
            <Cell title={t`Lasts`}>
              <Hours value={float.hours_left} />
            </Cell>
          </div>
        </li>
      ))}
      {data.total_count > data.floats.length && (
        <li className={classes.more}>
          <Link to="/agents" search={{ view: 'list', parent_agent_id: of }}>
            <Trans>Show all {data.total_count} sub-agents</Trans>
          </Link>
        </li>
      )}
    </ul>
  );
}

function Name({ float: { agent_id, business_name, status } }: { float: Float }) {
  return (
    <>
      <Link to={`/agents/${agent_id}`} fw={600}>
        {business_name}
      </Link>
      {status !== 'active' && <Status value={status} />}
    </>
  );
}

function Cell({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={classes.cell}>
      <span className={classes.cellTitle}>{title}</span>
      {children}
    </div>
  );
}
