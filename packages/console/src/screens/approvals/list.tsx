// The inbox of approvals: what waits for a decision, oldest first, and everything that was decided.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan, useUser } from '../../api/user.ts';
import { AddressTabs } from '../../components/address-tabs.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import type { BulkAction, ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { Absent, Instant, Money, Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import { fromNow, zoneName } from '../../format/time.ts';
import classes from './approvals.module.css';
import { ACTION_NAMES, actionTitle, changesOf, sentenceOf } from './words.ts';

const EVERY_MS = 15_000;

export default function Approvals() {
  const { t } = useLingui();
  const can = useCan();
  const navigate = useNavigate();
  return (
    <Page
      title={t`Approvals`}
      description={t`Requests that take effect when a second user approves them. They expire after 7 days.`}
      actions={
        can('approval-policies:read') && (
          <Button variant="default" onClick={() => void navigate({ to: '/approvals/policies' })}>
            <Trans>Policies</Trans>
          </Button>
        )
      }
    >
      <AddressTabs
        name="view"
        tabs={[
          { value: 'waiting', title: t`Waiting`, content: <Waiting /> },
          { value: 'all', title: t`All requests`, content: <RecordList definition={useDefinition()} /> },
        ]}
      />
    </Page>
  );
}

function Waiting() {
  const { t } = useLingui();
  const { id: ownId } = useUser();
  const mayDecide = useCan()('approvals:write');
  const { data, error, refetch } = useRead(
    ['approvals', 'pending'],
    (options) => kissi.approvals.list({ status: 'pending', sort: 'oldest', limit: '100' }, options),
    { everyMs: EVERY_MS },
  );
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const own = data.approvals.filter(({ requested_by }) => requested_by === ownId);
  const others = data.approvals.filter(({ requested_by }) => requested_by !== ownId);
  const tied = mayDecide ? others.filter(({ not_independent }) => not_independent) : [];
  const open = others.filter((approval) => !tied.includes(approval));
  return (
    <Stack gap="lg">
      <Panel title={mayDecide ? t`For you to decide` : t`For others to decide`} flush>
        {open.length === 0 ? (
          <Empty
            icon="approve"
            title={mayDecide ? t`Nothing waits for your decision` : t`Nothing waits for a decision`}
          >
            <Trans>Your colleagues' requests appear here automatically.</Trans>
          </Empty>
        ) : (
          <Requests approvals={open} />
        )}
      </Panel>
      {tied.length > 0 && (
        <Panel title={t`For others to decide`} flush>
          <Text size="sm" c="dimmed" px="md" pb="sm">
            <Trans>You can reject these, but not approve them: you are not independent of who asked.</Trans>
          </Text>
          <Requests approvals={tied} />
        </Panel>
      )}
      {own.length > 0 && (
        <Panel title={t`Your requests`} flush>
          <Requests approvals={own} />
        </Panel>
      )}
    </Stack>
  );
}

function Requests({ approvals }: { approvals: Approval[] }) {
  return (
    <ul className={classes.requests}>
      {approvals.map((approval) => (
        <li key={approval.id}>
          <Request approval={approval} />
        </li>
      ))}
    </ul>
  );
}

function Request({ approval }: { approval: Approval }) {
  const { id, amount, requested_at, expires_at, requested_by_name } = approval;
  const name = requested_by_name ?? approval.requested_by;
  const expiry = fromNow(expires_at);
  return (
    <Link to={`/approvals/${id}`} className={classes.request ?? ''} underline="never" c="inherit">
      <span className={classes.sentence}>
        <Text component="span" fw={600} size="sm" display="block">
          {sentenceOf(approval)}
        </Text>
        <ChangedValues approval={approval} />
        <Text component="span" size="xs" c="dimmed">
          <Trans>
            {name} asked <Instant at={requested_at} relative /> · expires {expiry}
          </Trans>
        </Text>
      </span>
      {amount !== null && (
        <Text component="span" fw={600} className={classes.amount ?? ''}>
          {money(amount)}
        </Text>
      )}
      <Icon name="chevronRight" />
    </Link>
  );
}

function ChangedValues({ approval }: { approval: Approval }) {
  const changes = changesOf(approval);
  if (!changes) return null;
  return (
    <Text component="span" size="sm" display="block">
      {changes}
    </Text>
  );
}

/** As on the requests' screens: never one's own, and none of a user who is not independent. */
function useBulkActions(): BulkAction<Approval>[] {
  const { t } = useLingui();
  const { id: ownId, role } = useUser();
  if (!useCan()('approvals:write') || role === 'processor') return [];
  const isForUser = ({ status, requested_by }: Approval) => status === 'pending' && requested_by !== ownId;
  return [
    {
      label: t`Approve`,
      description: t`Each request is executed with the checks of this moment.`,
      isFor: (approval) => isForUser(approval) && !approval.not_independent,
      nameOf: sentenceOf,
      call: (client, { id }) => client.approvals.approve(id),
    },
    {
      label: t`Reject`,
      description: t`Nothing is changed.`,
      isFor: isForUser,
      text: { label: t`Reason`, maxLength: 500 },
      nameOf: sentenceOf,
      call: (client, { id }, reason) => client.approvals.reject(id, { reason }),
    },
  ];
}

function useDefinition(): ListDefinition<Approval> {
  const { t } = useLingui();
  const zone = zoneName();
  return {
    resource: 'approvals',
    noun: t`requests`,
    fileName: 'approvals',
    items: 'approvals',
    read: (client, query, options) => client.approvals.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/approvals/${id}`,
    everyMs: EVERY_MS,
    bulk: useBulkActions(),
    defaultSort: 'newest',
    filters: [
      {
        kind: 'choice',
        name: 'status',
        label: t`Status`,
        options: ['pending', 'approved', 'executed', 'failed', 'rejected', 'withdrawn', 'expired'],
      },
      {
        kind: 'choice',
        name: 'action',
        label: t`Action`,
        options: ACTION_NAMES.map((value) => ({ value, label: actionTitle(value) })),
      },
    ],
    columns: [
      {
        name: 'request',
        title: t`Request`,
        keep: 'title',
        cell: (row) => (
          <>
            <Text fw={600} inherit>
              {sentenceOf(row)}
            </Text>
            <ChangedValues approval={row} />
          </>
        ),
      },
      {
        name: 'amount',
        title: t`Amount (SLE)`,
        align: 'end',
        cell: ({ amount }) => (amount === null ? <Absent /> : <Money value={amount} />),
      },
      { name: 'by', title: t`Requested by`, keep: 'tablet', cell: (row) => row.requested_by_name ?? row.requested_by },
      {
        name: 'at',
        title: t`Requested (${zone})`,
        sort: { up: 'oldest', down: 'newest' },
        cell: ({ requested_at }) => <Instant at={requested_at} />,
      },
      {
        name: 'decided',
        title: t`Decided by`,
        keep: 'desktop',
        cell: ({ decided_by_name }) => decided_by_name ?? <Absent />,
      },
      {
        name: 'status',
        title: t`Status`,
        cell: ({ status }) => (
          <Group justify="inherit">
            <Status value={status} />
          </Group>
        ),
      },
    ],
  };
}
