// What a rule would have done in the last 30 days: figures, days, subjects and examples.
import type { RuleWhatIf } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { Chart } from '../../components/chart/chart.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Instant, Money } from '../../components/values.tsx';
import { count, money } from '../../format/money.ts';
import { date } from '../../format/time.ts';
import { AccountName } from './account-name.tsx';
import classes from './compliance.module.css';
import { thresholdInWords, typeName } from './words.ts';

export function RuleEffect({ reply }: { reply: RuleWhatIf }) {
  const { t } = useLingui();
  const [from, to] = [date(reply.period.from), date(reply.period.to)];
  return (
    <>
      <Panel
        title={t`The last 30 days with this rule`}
        aside={
          <Text size="xs" c="dimmed">
            {from} – {to}
          </Text>
        }
      >
        <Stack gap="md">
          <Figures reply={reply} />
          <Caveats reply={reply} />
          <Days reply={reply} />
        </Stack>
      </Panel>
      {reply.proposed.top_subjects.length > 0 && <Subjects reply={reply} />}
      {reply.proposed.examples.length > 0 && <Examples reply={reply} />}
    </>
  );
}

function Figures({ reply: { rule, proposed, current, comparison, payments_checked } }: { reply: RuleWhatIf }) {
  const { t } = useLingui();
  const isBlocking = rule.outcome === 'block';
  const refused = current?.refused ?? 0;
  const affected = proposed.flagged + proposed.blocked;
  const now = current ? current.flagged + current.blocked : null;
  const [checked, before] = [count(payments_checked), count(now ?? 0)];
  const newly = comparison?.newly_affected ?? 0;
  const noLonger = comparison?.no_longer_affected ?? 0;
  return (
    <dl className={classes.figures}>
      {refused > 0 && (
        <div>
          <dt>{t`Refused by the rule as it is`}</dt>
          <dd>
            {count(refused)}
            <small>
              <Trans>not among the payments below</Trans>
            </small>
          </dd>
        </div>
      )}
      <div>
        <dt>{isBlocking ? t`Blocked payments` : t`Flagged payments`}</dt>
        <dd>
          {count(affected)}
          <small>
            {now === null ? <Trans>of {checked} checked</Trans> : <Trans>{before} with the rule as it is</Trans>}
          </small>
        </dd>
      </div>
      <div>
        <dt>{t`Share`}</dt>
        <dd>
          {proposed.share_percent} %<small>{now === null ? ' ' : <Trans>of {checked} checked</Trans>}</small>
        </dd>
      </div>
      <div>
        <dt>{t`Their value`}</dt>
        <dd>{money(proposed.value)}</dd>
      </div>
      <div>
        <dt>{t`Subjects`}</dt>
        <dd>{count(proposed.subjects)}</dd>
      </div>
      {comparison && (
        <div>
          <dt>{t`Difference`}</dt>
          {newly + noLonger === 0 ? (
            <dd>{t`No change`}</dd>
          ) : (
            <dd>
              {newly > 0 ? `+${count(newly)}` : `−${count(noLonger)}`}
              {newly > 0 && noLonger > 0 && (
                <small>
                  <Plural value={noLonger} one="# payment less" other="# payments less" />
                </small>
              )}
            </dd>
          )}
        </div>
      )}
    </dl>
  );
}

function Caveats({ reply }: { reply: RuleWhatIf }) {
  if (!reply.truncated && !reply.counts_are_minimum) return null;
  const from = date(reply.period.from);
  return (
    <Text size="xs" c="dimmed">
      {reply.truncated && (
        <>
          <Trans>There were too many payments: only those since {from} were tried.</Trans>{' '}
        </>
      )}
      {reply.counts_are_minimum && (
        <>
          <Trans>The first windows are incomplete, so the figures are a minimum.</Trans>{' '}
        </>
      )}
    </Text>
  );
}

function Days({ reply: { days, current, proposed, rule } }: { reply: RuleWhatIf }) {
  const { t } = useLingui();
  const isBlocking = rule.outcome === 'block';
  if (proposed.flagged + proposed.blocked === 0 && !days.some((day) => day.current)) {
    const refused = current?.refused ?? 0;
    return (
      <Text size="sm">
        {refused > 0
          ? t`No payment that was made in this period exceeds the threshold: the rule refused those that did.`
          : t`No payment in this period exceeds the threshold.`}
      </Text>
    );
  }
  return (
    <Chart
      label={isBlocking ? t`Blocked payments by day` : t`Flagged payments by day`}
      at={days.map((day) => `${day.date}T00:00:00Z`)}
      step="day"
      height={200}
      bars={!current}
      series={[
        {
          name: isBlocking ? t`Blocked` : t`Flagged`,
          values: days.map((day) => day.flagged + day.blocked),
          tone: isBlocking ? 'danger' : 'warning',
        },
        ...(current
          ? [
              {
                name: t`Rule as it is`,
                values: days.map((day) => day.current ?? 0),
                tone: 'quiet' as const,
                dashed: true,
              },
            ]
          : []),
      ]}
    />
  );
}

function Subjects({ reply: { proposed } }: { reply: RuleWhatIf }) {
  const { t } = useLingui();
  return (
    <Panel title={t`Most affected`} flush>
      <SmallTable
        rows={proposed.top_subjects.slice(0, 10)}
        columns={[
          { title: t`Subject`, cell: ({ id, name }) => <AccountName id={id} name={name} /> },
          { title: t`Payments`, end: true, cell: ({ payments = 0 }) => count(payments) },
          { title: t`Value (SLE)`, end: true, cell: ({ value = 0 }) => <Money value={value} /> },
        ]}
      />
    </Panel>
  );
}

function Examples({ reply: { proposed, rule } }: { reply: RuleWhatIf }) {
  const { t } = useLingui();
  const names = new Map(proposed.top_subjects.map(({ id, name }) => [id, name]));
  return (
    <Panel title={t`Examples`} flush>
      <SmallTable
        wide
        rows={proposed.examples}
        columns={[
          {
            title: t`Time`,
            cell: ({ transaction_id, at }) => (
              <Link to={`/transactions/${transaction_id}`}>
                <Instant at={at} />
              </Link>
            ),
          },
          { title: t`Type`, cell: ({ transaction_type = '' }) => typeName(transaction_type) },
          {
            title: t`Subject`,
            cell: ({ subject_id = '' }) => <AccountName id={subject_id} name={names.get(subject_id)} />,
          },
          { title: t`Amount (SLE)`, end: true, cell: ({ amount = 0 }) => <Money value={amount} /> },
          { title: t`Found`, end: true, cell: ({ found = 0 }) => thresholdInWords(rule.kind, found) },
        ]}
      />
    </Panel>
  );
}
