// One request: what it would change, who asked, the decision, and its outcome.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Code, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { Failed, Loading } from '../../components/states.tsx';
import { Id, Instant, Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import classes from './approvals.module.css';
import { ApprovalBankEntries } from './bank-entries.tsx';
import { Changes } from './changes.tsx';
import { Decisions } from './decide.tsx';
import { ApprovalDocuments } from './documents.tsx';
import { Erasure, retentionOf } from './erasure.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { Secrets } from './secrets.tsx';
import { actionTitle, fieldName, sentenceOf, shownNames, summaryOf, valueInWords } from './words.ts';

export default function ApprovalScreen() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['approvals', id], (options) => kissi.approvals.get(id, options), {
    everyMs: 5_000,
  });
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  return data ? <Content approval={data.approval} /> : <Loading />;
}

function Content({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const retention = retentionOf(approval);
  return (
    <Page
      title={actionTitle(approval.action)}
      badge={<Status value={approval.status} />}
      above={[{ title: t`Approvals`, to: '/approvals' }]}
      description={sentenceOf(approval)}
      actions={<Decisions approval={approval} />}
    >
      {approval.not_independent && <NotIndependent approval={approval} />}
      <Outcome approval={approval} />
      <div className={classes.columns}>
        <Stack gap="lg">
          {retention ? <Erasure approval={approval} retention={retention} /> : <Changes approval={approval} />}
          <ApprovalDocuments approval={approval} />
          <Given approval={approval} />
          <RecentChanges approval={approval} />
          <ApprovalBankEntries approval={approval} />
        </Stack>
        <Panel title={t`Request`}>
          <About approval={approval} />
        </Panel>
      </div>
    </Page>
  );
}

function NotIndependent({ approval: { bank_entries, action } }: { approval: Approval }) {
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} role="status">
      <Text size="sm">
        <Trans>
          You cannot approve this request: you or the requester created the other’s login, or changed its password,
          second factor, phone, role or status in the last 30 days, and no third user approved that. Somebody else must
          approve.
        </Trans>{' '}
        {bank_entries && action === 'processors.payout' && (
          <Trans>The same holds if you, or a user who is tied to you in this way, uploaded the bank's credit.</Trans>
        )}
      </Text>
    </Alert>
  );
}

function About({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const { requested_by, requested_by_name, requested_by_email, requested_at, expires_at, amount, status } = approval;
  const parties = summaryOf(approval)?.parties ?? [];
  const facts: Fact[] = [
    amount === null ? null : [t`Amount`, <strong key="amount">{money(amount)}</strong>],
    parties.length > 0 && [
      t`About`,
      <Stack key="parties" gap={2}>
        {parties.map(({ id, name }) => (
          <Subject key={id} id={id} name={name} />
        ))}
      </Stack>,
    ],
    [t`Requested by`, `${requested_by_name ?? requested_by}${requested_by_email ? ` (${requested_by_email})` : ''}`],
    [t`Requested`, <Instant key="requested" at={requested_at} />],
    status === 'pending' && [t`Expires`, <Instant key="expires" at={expires_at} relative />],
    approval.decided_by !== null && [t`Decided by`, approval.decided_by_name ?? approval.decided_by],
    approval.decided_at !== null && [t`Decided`, <Instant key="decided" at={approval.decided_at} />],
    [t`Approval id`, <Id key="id" value={approval.id} short />],
  ];
  return <Facts facts={facts} narrow />;
}

function Subject({ id, name }: { id: string; name: string | null }) {
  return id.startsWith('txn_') ? (
    <Link to={`/transactions/${id}`}>{name ?? id}</Link>
  ) : (
    <Party id={id} name={name ?? id} />
  );
}

/** What the requester sent that is not among the changed values, such as a reason. */
function Given({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const input = (approval.input ?? {}) as Record<string, unknown>;
  const after = summaryOf(approval)?.after ?? {};
  const names = shownNames(approval, Object.keys(input)).filter(
    (name) => !(name in after) && name !== 'amount' && name !== 'request_id',
  );
  if (names.length === 0) return null;
  return (
    <Panel title={t`As requested`}>
      <Facts facts={names.map((name): Fact => [fieldName(name), valueInWords(name, input[name])])} />
    </Panel>
  );
}

function Outcome({ approval }: { approval: Approval }) {
  const { status, reason, refusal, result } = approval;
  const { code, message } = (refusal ?? {}) as { code?: string; message?: string };
  const { message: done, transaction_id } = (result ?? {}) as { message?: string; transaction_id?: string };
  if (status === 'approved') {
    return (
      <Alert color="yellow" icon={<Icon name="clock" />} role="status">
        <Trans>Approved. The money is being moved.</Trans>
      </Alert>
    );
  }
  if (status === 'executed') {
    return (
      <Alert color="kissi" icon={<Icon name="approve" />} role="status">
        <Text size="sm" fw={600}>
          <Trans>Approved and executed</Trans>
        </Text>
        <Text size="sm">
          {done}{' '}
          {transaction_id && (
            <Link to={`/transactions/${transaction_id}`}>
              <Trans>Show the transaction</Trans>
            </Link>
          )}
        </Text>
        <Secrets approval={approval} />
      </Alert>
    );
  }
  if (status === 'failed') {
    return (
      <Alert color="red" icon={<Icon name="alert" />} role="status">
        <Text size="sm" fw={600}>
          <Trans>Approved, but its execution was refused. Nothing was changed.</Trans>
        </Text>
        <Text size="sm" mb={6}>
          {message}
        </Text>
        <Code>{code}</Code>
      </Alert>
    );
  }
  if (status === 'rejected') {
    return (
      <Alert color="red" icon={<Icon name="close" />} role="status">
        <Text size="sm" fw={600}>
          <Trans>Rejected. Nothing was changed.</Trans>
        </Text>
        <Text size="sm">{reason}</Text>
      </Alert>
    );
  }
  return null;
}
