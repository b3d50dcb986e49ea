// The alerts: a queue of those to review, ordered by due time, and the list of all.
import type { ListedAlert } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCan } from '../../api/user.ts';
import { NewRecord } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import type { Column, ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Absent, Instant, label, Status } from '../../components/values.tsx';
import { zoneName } from '../../format/time.ts';
import { AccountName } from './account-name.tsx';
import { useBulkActions } from './bulk-actions.ts';
import classes from './compliance.module.css';
import { useOutcomeNames } from './outcomes.ts';
import { Queue } from './queue.tsx';
import { alertInWords, alertTitle, isHidden, isOverdue, severityTone, subjectOf } from './words.ts';

/** Loaded when it is opened. */
const RaiseAlert = lazyPart(async () => ({ default: (await import('./raise-alert.tsx')).RaiseAlert }));

export default function Alerts() {
  const { t } = useLingui();
  const can = useCan();
  const navigate = useNavigate();
  const { view } = useSearch({ strict: false }) as { view?: string };
  const definition = useDefinition();
  const show = (next: string) =>
    void navigate({ to: '/alerts', search: (next === 'queue' ? {} : { view: next }) as never });
  return (
    <Page
      title={t`Alerts`}
      description={t`Payments that a rule flagged or blocked, and reports. Times are in ${zoneName()}.`}
      actions={
        can('compliance:write') && (
          <NewRecord label={t`Raise an alert`} dialog={(onClose) => <RaiseAlert onClose={onClose} />} />
        )
      }
    >
      <Stack gap="md">
        <SegmentedControl
          className={classes.fit ?? ''}
          aria-label={t`View`}
          value={view ?? 'queue'}
          onChange={show}
          data={[
            { value: 'queue', label: t`To review` },
            { value: 'mine', label: t`Mine` },
            { value: 'free', label: t`Unassigned` },
            { value: 'all', label: t`All` },
          ]}
        />
        {view === 'all' ? (
          <RecordList definition={definition} />
        ) : (
          <Queue key={view} definition={definition} {...QUEUES[view ?? '']} />
        )}
      </Stack>
    </Page>
  );
}

const QUEUES: Record<string, { assignee: 'me' | 'none' }> = { mine: { assignee: 'me' }, free: { assignee: 'none' } };

function useDefinition(): ListDefinition<ListedAlert> {
  const { t } = useLingui();
  return {
    resource: 'alerts',
    noun: t`alerts`,
    fileName: 'alerts',
    items: 'alerts',
    read: (client, query, options) => client.alerts.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/alerts/${id}`,
    defaultSort: 'newest',
    bulk: useBulkActions(),
    columns: useColumns(),
    filters: [
      { kind: 'choice', name: 'status', label: t`Status`, options: ['open', 'in_review', 'resolved', 'dismissed'] },
      {
        kind: 'choice',
        name: 'outcome',
        label: t`Outcome`,
        options: Object.entries(useOutcomeNames()).map(([value, name]) => ({ value, label: name })),
      },
      {
        kind: 'choice',
        name: 'overdue',
        label: t`Due`,
        options: [
          { value: 'true', label: t`Past due` },
          { value: 'false', label: t`Not past due` },
        ],
      },
      {
        kind: 'choice',
        name: 'type',
        label: t`Type`,
        options: [
          { value: 'amount', label: t`Amount` },
          { value: 'velocity_count', label: t`Number in a period` },
          { value: 'velocity_amount', label: t`Sum in a period` },
          { value: 'report', label: t`Report` },
          { value: 'manual', label: t`Raised by staff` },
        ],
      },
      {
        kind: 'choice',
        name: 'assignee',
        label: t`Reviewer`,
        options: [
          { value: 'me', label: t`Mine` },
          { value: 'none', label: t`Nobody` },
        ],
      },
      { kind: 'party', name: 'subscriber_id', label: t`Customer`, types: ['subscriber'] },
      { kind: 'party', name: 'agent_id', label: t`Agent`, types: ['agent'], rare: true },
      { kind: 'party', name: 'processor_id', label: t`Merchant`, types: ['processor'], rare: true },
      { kind: 'date', name: 'from', label: t`From` },
      { kind: 'date', name: 'to', label: t`To` },
    ],
  };
}

function useColumns(): Column<ListedAlert>[] {
  const { t } = useLingui();
  const outcomes = useOutcomeNames();
  return [
    {
      title: t`Alert`,
      keep: 'title',
      cell: (alert) => (
        <div className={classes.alert}>
          <Text fw={600} inherit>
            {alertTitle(alert)}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={4}>
            {alertInWords(alert)}
          </Text>
        </div>
      ),
    },
    {
      title: t`Severity`,
      cell: ({ severity }) => (severity ? <Status value={severity} tone={severityTone(severity)} /> : <Absent />),
    },
    {
      title: t`About`,
      keep: 'tablet',
      cell: (alert) => <AccountName id={subjectOf(alert)} name={alert.subject_name} />,
    },
    { title: t`Reviewer`, keep: 'desktop', cell: ({ assignee_name }) => assignee_name ?? <Absent /> },
    {
      title: t`Raised`,
      keep: 'desktop',
      sort: { down: 'newest' },
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
    { title: t`Due`, sort: { up: 'due_at' }, cell: (alert) => <Due alert={alert} /> },
    {
      title: t`Status`,
      cell: ({ status, outcome }) => (
        <>
          <Status value={status} />
          {outcome && (
            <Text size="xs" c="dimmed">
              {outcomes[outcome]}
            </Text>
          )}
        </>
      ),
    },
  ];
}

function Due({ alert }: { alert: ListedAlert }) {
  const { t } = useLingui();
  if (alert.resolved_at) {
    return (
      <Text inherit c="dimmed" component="span">
        {label(alert.status)}
      </Text>
    );
  }
  if (isHidden(alert)) {
    return <Text inherit c="dimmed" component="span">{t`Not shown`}</Text>;
  }
  if (!alert.due_at) return <Absent />;
  return (
    <span className={isOverdue(alert) ? classes.overdue : undefined}>
      {isOverdue(alert) && (
        <>
          <Trans>Past due</Trans>,{' '}
        </>
      )}
      <Instant at={alert.due_at} relative />
    </span>
  );
}
