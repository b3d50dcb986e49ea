// One alert as a case: what was found, who is involved, what happened before, and the decision.
import type { Alert } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert as Notice, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { Id, Instant, Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import { fromNow } from '../../format/time.ts';
import { AccountName } from './account-name.tsx';
import { CaseHistory, UserName } from './case-history.tsx';
import classes from './compliance.module.css';
import { NetworkPanel } from './network/network-panel.tsx';
import { NextAlert } from './next-alert.tsx';
import { useOutcomeNames } from './outcomes.ts';
import { OtherAlerts, SubjectPayments } from './related.tsx';
import { ReviewActions } from './review-actions.tsx';
import { RulesAtTheTime } from './rules-at-the-time.tsx';
import {
  alertInWords,
  alertTitle,
  figuresOf,
  isClosed,
  isOverdue,
  severityTone,
  subjectOf,
  typeName,
} from './words.ts';

export default function AlertScreen() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['alerts', id], (options) => kissi.alerts.get(id, options), {
    everyMs: 15_000,
  });
  return data ? <Case alert={data.alert} /> : <Waiting error={error} retry={refetch} />;
}

function Case({ alert }: { alert: Alert }) {
  const { t } = useLingui();
  const can = useCan();
  const subject = subjectOf(alert);
  const { severity = '' } = alert;
  // A report about no one in particular has only its notes and history.
  const hasEvidence = subject !== null || (figuresOf(alert).rules ?? []).length > 0;
  return (
    <Page
      title={alertTitle(alert)}
      badge={
        <>
          <Status value={severity} tone={severityTone(severity)} />
          <Status value={alert.status} />
        </>
      }
      above={[{ title: t`Alerts`, to: '/alerts' }]}
      description={alertInWords(alert)}
      actions={
        <>
          {can('compliance:write') && <ReviewActions alert={alert} />}
          <NextAlert id={alert.id} />
        </>
      }
    >
      <State alert={alert} />
      <div className={hasEvidence ? classes.columns : undefined}>
        {hasEvidence && (
          <Stack gap="lg">
            <RulesAtTheTime alert={alert} />
            {subject && <NetworkPanel id={subject} raisedAt={alert.created_at} />}
            {subject && can('payments:read') && <SubjectPayments id={subject} flagged={alert.transaction_id} />}
          </Stack>
        )}
        <Stack gap="lg">
          <Panel title={t`Case`}>
            <About alert={alert} />
          </Panel>
          <Notes alert={alert} />
          {subject && <OtherAlerts subject={subject} except={alert.id} />}
          {can('audit:read') && <CaseHistory id={alert.id} />}
        </Stack>
      </div>
    </Page>
  );
}

/** Past due, or how it ended. */
function State({ alert }: { alert: Alert }) {
  const { t } = useLingui();
  const outcomes = useOutcomeNames();
  const { status, resolution, outcome, resolved_by, resolved_by_name, resolved_at, due_at } = alert;
  if (isClosed(alert)) {
    const when = fromNow(resolved_at ?? '');
    return (
      <Notice color={status === 'resolved' ? 'kissi' : 'gray'} icon={<Icon name="approve" />} role="status">
        <Text size="sm" fw={600}>
          {status === 'resolved' ? <Trans>Resolved {when}</Trans> : <Trans>Dismissed {when}</Trans>},{' '}
          <UserName id={resolved_by} name={resolved_by_name} />
        </Text>
        {outcome && <Text size="sm">{outcomes[outcome]}</Text>}
        <Text size="sm" className={classes.text ?? ''}>
          {resolution}
        </Text>
      </Notice>
    );
  }
  if (!isOverdue(alert)) return null;
  const when = fromNow(due_at ?? '');
  return (
    <Notice color="red" icon={<Icon name="clock" />} role="status">
      <Text size="sm">{t`The review was due ${when}.`}</Text>
    </Notice>
  );
}

function About({ alert }: { alert: Alert }) {
  const { t } = useLingui();
  const { amount, transaction_type, from, to, outcome, reported_by } = figuresOf(alert);
  const facts: Fact[] = [
    [t`About`, <AccountName key="subject" id={subjectOf(alert)} name={alert.subject_name} />],
    amount === undefined ? null : [t`Amount`, <strong key="amount">{money(amount)}</strong>],
    transaction_type ? [t`Type`, typeName(transaction_type)] : null,
    from ? [t`From`, <AccountName key="from" id={from} />] : null,
    to ? [t`To`, <AccountName key="to" id={to} />] : null,
    outcome ? [t`Outcome`, outcome === 'block' ? t`Blocked: no money moved` : t`Flagged: the payment was made`] : null,
    alert.transaction_id
      ? [
          t`Transaction`,
          <Link key="transaction" to={`/transactions/${alert.transaction_id}`}>{t`Show the transaction`}</Link>,
        ]
      : null,
    reported_by ? [t`Reported by`, <UserName key="by" id={reported_by.id} name={alert.reported_by_name} />] : null,
    [t`Taken by`, alert.assignee_name ?? alert.assigned_to ?? t`Nobody yet`],
    [t`Raised`, <Instant key="raised" at={alert.created_at} />],
    [t`Review due`, <ReviewDue key="due" alert={alert} />],
    [t`Alert id`, <Id key="id" value={alert.id} short />],
  ];
  return <Facts facts={facts} narrow />;
}

function ReviewDue({ alert: { due_at, created_at } }: { alert: Alert }) {
  if (!due_at) return <Trans>No due time</Trans>;
  return due_at === created_at ? <Trans>At once</Trans> : <Instant at={due_at} />;
}

function Notes({ alert }: { alert: Alert }) {
  const { t } = useLingui();
  if (!alert.notes) return null;
  return (
    <Panel title={t`Notes`}>
      <Text size="sm" className={classes.text ?? ''}>
        {alert.notes}
      </Text>
    </Panel>
  );
}
