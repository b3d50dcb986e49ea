// One agent: record, float, payments and commissions, and what the role may change.
import type { GetAgentResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Grid, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead, useReadWith } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { AddressTabs } from '../../components/address-tabs.tsx';
import { Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { LargeMoney } from '../../components/large-money.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Waiting } from '../../components/states.tsx';
import { Id, Instant, label, Status } from '../../components/values.tsx';
import { AgentActions } from './actions.tsx';
import { Commissions } from './commissions.tsx';
import { AgentTransactions } from './transactions.tsx';

/** Loaded when the tab is opened. */
const AgentRefusals = lazyPart(() => import('./refusals.tsx'));
const RecordTimeline = lazyPart(() => import('../timeline/record-timeline.tsx'));

type Agent = GetAgentResponse['agent'];

const EVERY_MS = 30_000;

export default function AgentScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const record = useRead(['agent', id], (options) => kissi.agents.get(id, options), { everyMs: EVERY_MS });
  useReadWith(record, 'agent', 'timeline');
  const { data, error, refetch } = record;
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { agent } = data;
  return (
    <Page
      title={agent.business_name}
      badge={<Status value={agent.status} />}
      above={[{ title: t`Agents`, to: '/agents' }]}
      description={label(agent.type)}
      actions={<AgentActions reply={data} />}
    >
      <Notices agent={agent} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 4, lg: 3 }}>
          <Stack gap="lg">
            <FloatPanel agent={agent} />
            <Record agent={agent} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8, lg: 9 }}>
          <Activity agent={agent} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Notices({ agent }: { agent: Agent }) {
  const { t } = useLingui();
  const { status_reason, status, pin_locked_until, pin_lock_reason, pin_reset_code_until, outgoing_reduced_until } =
    agent;
  return (
    <>
      {status !== 'active' && status_reason && (
        <Alert color="red" icon={<Icon name="alert" />}>{t`${label(status)}: ${status_reason}`}</Alert>
      )}
      {pin_locked_until && (
        <Alert color="yellow" icon={<Icon name="lock" />}>
          {pin_lock_reason === 'wrong_on_one_day' ? (
            <Trans>
              The account is locked until <Instant at={pin_locked_until} /> after ten wrong PINs on one day.
            </Trans>
          ) : (
            <Trans>
              The account is locked until <Instant at={pin_locked_until} /> after wrong PINs.
            </Trans>
          )}
        </Alert>
      )}
      {pin_reset_code_until && (
        <Alert color="blue" icon={<Icon name="key" />}>
          <Trans>
            A code for a new PIN was sent. It works until <Instant at={pin_reset_code_until} />, and the old PIN until a
            new one is set.
          </Trans>
        </Alert>
      )}
      {outgoing_reduced_until && (
        <Alert color="yellow" icon={<Icon name="clock" />}>
          <Trans>
            Outgoing payments are reduced until <Instant at={outgoing_reduced_until} />, because the PIN was reset.
          </Trans>
        </Alert>
      )}
    </>
  );
}

function FloatPanel({ agent }: { agent: Agent }) {
  const { t } = useLingui();
  const { type, id, sub_agent_count = 0 } = agent;
  return (
    <Panel title={t`Float`}>
      <LargeMoney value={agent.float_balance_formatted} />
      {type === 'super_agent' && (
        <Text size="sm" mt="xs">
          <Link to="/agents" search={{ view: 'list', parent_agent_id: id }}>{t`Sub-agents: ${sub_agent_count}`}</Link>
        </Text>
      )}
    </Panel>
  );
}

function Record({ agent }: { agent: Agent }) {
  const { t } = useLingui();
  const { commission_tier, commission_percent, settlement_mode, parent_agent_id } = agent;
  const modes = { instant: t`At once`, daily: t`After each day`, weekly: t`After each week` };
  return (
    <Panel title={t`Record`}>
      <Facts
        facts={[
          [t`Person`, `${agent.first_name} ${agent.last_name}`],
          [t`Phone number`, agent.phone_number],
          [t`Email`, agent.email],
          [t`Location`, agent.location],
          parent_agent_id ? [t`Super-agent`, <Parent key="parent" id={parent_agent_id} />] : null,
          [
            t`Commission tier`,
            commission_percent === undefined || commission_percent === null
              ? label(commission_tier)
              : `${label(commission_tier)} (${commission_percent} %)`,
          ],
          [t`Commission is paid`, modes[settlement_mode]],
          [t`Registered`, <Instant key="created" at={agent.created_at} />],
          [t`Agent id`, <Id key="id" value={agent.id} short />],
        ]}
      />
    </Panel>
  );
}

function Parent({ id }: { id: string }) {
  const { data } = useRead(['agent', id], (options) => kissi.agents.get(id, options));
  return <Party id={id} name={data?.agent.business_name} />;
}

function Activity({ agent: { id, phone_number } }: { agent: Agent }) {
  const { t } = useLingui();
  const can = useCan();
  return (
    <AddressTabs
      name="tab"
      tabs={[
        can('agents:history') && { value: 'payments', title: t`Payments`, content: <AgentTransactions id={id} /> },
        can('agents:history') && { value: 'refusals', title: t`Refused`, content: <AgentRefusals id={id} /> },
        can('commission:read') && { value: 'commissions', title: t`Commissions`, content: <Commissions id={id} /> },
        can('agents:history', 'audit:read') && {
          value: 'timeline',
          title: t`Timeline`,
          content: <RecordTimeline record={{ kind: 'agent', id, phone: phone_number }} />,
        },
      ]}
    />
  );
}
