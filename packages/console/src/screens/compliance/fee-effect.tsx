// What proposed fees would have brought in the last 30 days, and who would have paid more.
import type { FeeWhatIf } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { Chart } from '../../components/chart/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Money } from '../../components/values.tsx';
import { amount, count, money } from '../../format/money.ts';
import { date } from '../../format/time.ts';
import { AccountName } from './account-name.tsx';
import classes from './compliance.module.css';
import { typeName } from './words.ts';

export function FeeEffect({ reply }: { reply: FeeWhatIf }) {
  const { t } = useLingui();
  const [from, to] = [date(reply.period.from), date(reply.period.to)];
  return (
    <>
      <Panel
        title={t`The last 30 days with this fee`}
        aside={
          <Text size="xs" c="dimmed">
            {from} – {to}
          </Text>
        }
      >
        <Stack gap="md">
          <Figures reply={reply} />
          {reply.truncated && (
            <Text size="xs" c="dimmed">{t`There were too many payments: only those since ${from} were priced.`}</Text>
          )}
          <Chart
            label={t`Income by day`}
            at={reply.days.map((day) => `${day.date}T00:00:00Z`)}
            step="day"
            unit="minor_units"
            height={200}
            series={[
              { name: t`Proposed`, values: reply.days.map(({ proposed }) => proposed.income) },
              {
                name: t`Current`,
                values: reply.days.map(({ current }) => current.income),
                tone: 'quiet',
                dashed: true,
              },
            ]}
          />
        </Stack>
      </Panel>
      <ByType reply={reply} />
      <Payers reply={reply} />
    </>
  );
}

function Figures({ reply: { current, proposed, difference, payments, payers } }: { reply: FeeWhatIf }) {
  const { t } = useLingui();
  const [now, all, less, same] = [money(current.income), count(payments), count(payers.less), count(payers.same)];
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t`Income then`}</dt>
        <dd>
          {money(proposed.income)}
          <small>{t`${now} now`}</small>
        </dd>
      </div>
      <div>
        <dt>{t`Difference`}</dt>
        <dd>
          {difference === 0 ? <Trans>No change</Trans> : `${difference > 0 ? '+' : ''}${amount(difference)}`}
          <small>{difference !== 0 && changeOf(current.income, difference)}</small>
        </dd>
      </div>
      <div>
        <dt>{t`Would pay more`}</dt>
        <dd>
          {count(payers.more)}
          <small>{t`${less} less, ${same} the same`}</small>
        </dd>
      </div>
      <div>
        <dt>{t`Payments`}</dt>
        <dd>{all}</dd>
      </div>
    </dl>
  );
}

function changeOf(current: number, difference: number): string {
  if (current === 0) return '';
  const percent = (difference / Math.abs(current)) * 100;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)} %`;
}

function ByType({ reply }: { reply: FeeWhatIf }) {
  const { t } = useLingui();
  return (
    <Panel title={t`Income by type (SLE)`} flush>
      <SmallTable
        rows={reply.by_type}
        columns={[
          { title: t`Type of payment`, cell: ({ transaction_type }) => typeName(transaction_type) },
          { title: t`Payments`, end: true, cell: ({ payments }) => count(payments) },
          { title: t`Now`, end: true, cell: ({ current }) => <Money value={current.income} /> },
          {
            title: t`Then`,
            end: true,
            cell: ({ current, proposed }) =>
              current.income === proposed.income ? t`the same` : <Strong value={proposed.income} />,
          },
        ]}
      />
    </Panel>
  );
}

function Payers({ reply: { paying_more } }: { reply: FeeWhatIf }) {
  const { t } = useLingui();
  if (paying_more.length === 0) return null;
  return (
    <Panel title={t`Who would pay the most extra (SLE)`} flush>
      <SmallTable
        rows={paying_more.slice(0, 10)}
        columns={[
          { title: t`Payer`, cell: ({ id, name }) => <AccountName id={id} name={name} /> },
          { title: t`Now`, end: true, cell: ({ current_fees = 0 }) => <Money value={current_fees} /> },
          { title: t`Then`, end: true, cell: ({ proposed_fees = 0 }) => <Money value={proposed_fees} /> },
          { title: t`More`, end: true, cell: ({ difference = 0 }) => <Strong value={difference} /> },
        ]}
      />
    </Panel>
  );
}

const Strong = ({ value }: { value: number }) => (
  <strong>
    <Money value={value} />
  </strong>
);
