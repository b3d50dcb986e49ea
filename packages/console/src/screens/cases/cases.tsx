// The cases: those that are open with their clocks, and the register of all, which can be exported.
import type { Case } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { SegmentedControl, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useUser } from '../../api/user.ts';
import type { Column, ListDefinition, Query } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Empty } from '../../components/states.tsx';
import { useIsPhone } from '../../components/use-is-phone.ts';
import { Absent, Instant, Status, Titled } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';
import classes from './cases.module.css';
import { Due } from './clocks.tsx';
import { STATE_TONES, useKindNames, useRecallStates, useStateNames } from './words.ts';

export default function Cases() {
  const { t } = useLingui();
  const { id } = useUser();
  const navigate = useNavigate();
  const { view = 'open' } = useSearch({ strict: false }) as { view?: string };
  const definition = useDefinition(view);
  const views: Record<string, { label: string; fixed: Query }> = {
    open: { label: t`Open`, fixed: { is_open: 'true', sort: 'due' } },
    overdue: { label: t`Overdue`, fixed: { is_overdue: 'true' } },
    mine: { label: t`Mine`, fixed: { is_open: 'true', assignee_id: id } },
    free: { label: t`Unassigned`, fixed: { is_open: 'true', assignee_id: 'none' } },
    all: { label: t`Register`, fixed: {} },
  };
  const show = (next: string) =>
    void navigate({ to: '/cases', search: (next === 'open' ? {} : { view: next }) as never });
  return (
    <Page
      title={t`Cases`}
      description={t`Complaints of customers, and transfers they want back. Times are in ${zoneName()}.`}
    >
      <Stack gap="md">
        <SegmentedControl
          size={useIsPhone() ? 'xs' : 'sm'}
          className={classes.fit ?? ''}
          aria-label={t`View`}
          value={view in views ? view : 'open'}
          onChange={show}
          data={Object.entries(views).map(([value, { label }]) => ({ value, label }))}
        />
        <RecordList key={view} definition={{ ...definition, fixed: views[view]?.fixed ?? {} }} />
      </Stack>
    </Page>
  );
}

function useDefinition(view: string): Omit<ListDefinition<Case>, 'fixed'> {
  const { t } = useLingui();
  const kinds = useKindNames();
  const states = useStateNames();
  return {
    resource: 'cases',
    noun: t`cases`,
    fileName: 'register-of-cases',
    items: 'cases',
    everyMs: 30_000,
    read: (client, query, options) => client.cases.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/cases/${id}`,
    empty: view === 'all' ? undefined : <Empty icon="approve" title={<Trans>No case is waiting here</Trans>} />,
    columns: useColumns(),
    defaultSort: view === 'open' ? 'due' : 'newest',
    filters: [
      {
        kind: 'choice',
        name: 'kind',
        label: t`Kind`,
        options: Object.entries(kinds).map(([value, label]) => ({ value, label })),
      },
      {
        kind: 'choice',
        name: 'state',
        label: t`State`,
        options: Object.entries(states).map(([value, label]) => ({ value, label })),
      },
      { kind: 'text', name: 'number', label: t`Number`, placeholder: 'C-2026-…' },
      { kind: 'party', name: 'subscriber_id', label: t`Customer`, types: ['subscriber'], rare: true },
      { kind: 'text', name: 'transaction_id', label: t`Transaction id`, placeholder: 'txn_…', rare: true },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
  };
}

function useColumns(): Column<Case>[] {
  const { t } = useLingui();
  const kinds = useKindNames();
  const states = useStateNames();
  const recalls = useRecallStates();
  return [
    {
      title: t`Case`,
      keep: 'title',
      cell: ({ number, kind, description }) => (
        <div className={classes.title}>
          <Titled name={kinds[kind]} note={`${number} · ${description}`} />
        </div>
      ),
    },
    {
      title: t`Customer`,
      cell: ({ subscriber_id, customer_name }) => <Party id={subscriber_id} name={customer_name} />,
    },
    {
      title: t`State`,
      cell: ({ state, recall_state }) => (
        <>
          <Status value={state} text={states[state]} tone={STATE_TONES[state]} />
          {recall_state && <div className={classes.note}>{recalls[recall_state]}</div>}
        </>
      ),
    },
    { title: t`Due`, sort: { up: 'due' }, cell: (each) => <Due of={each} /> },
    { title: t`Assigned to`, keep: 'tablet', cell: ({ assignee_name }) => assignee_name ?? <Absent /> },
    {
      title: t`Opened`,
      keep: 'desktop',
      sort: { up: 'oldest', down: 'newest' },
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
  ];
}
