// Payments' refusals by their code: today until the running hour, in the same hours a week before, and since then.
import type { Figures } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Table } from '@mantine/core';
import type { OverviewReply } from '../../api/overview.ts';
import { Panel } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { count } from '../../format/money.ts';
import { clockTime, weekday } from '../../format/time.ts';
import { useRefusalReason } from '../refusals/reason.ts';
import { fullHours } from './hours.ts';
import classes from './overview.module.css';

interface Row {
  code: string;
  /** With the running hour. */
  today: number;
  /** Until the running hour. */
  until: number;
  lastWeek: number;
}

export function Refusals({ overview }: { overview: OverviewReply }) {
  const { t } = useLingui();
  const reasonOf = useRefusalReason();
  const full = fullHours(overview);
  const rows = rowsOf(overview);
  const most = Math.max(1, ...rows.map(({ today }) => today));
  if (rows.length === 0) {
    return (
      <Panel title={t`Refused payments`}>
        <Empty icon="approve" title={t`No payment was refused today`} />
      </Panel>
    );
  }
  const hour = full && clockTime(full.current.to);
  const day = weekday(overview.today.current.from);
  return (
    <Panel title={t`Refused payments`} flush>
      <Table verticalSpacing={6} horizontalSpacing="md" className={classes.refusals}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Reason`}</Table.Th>
            <Table.Th ta="end">{hour ? t`Today until ${hour}` : t`Today`}</Table.Th>
            <Table.Th ta="end">{hour ? t`Last ${day} until ${hour}` : t`Last week`}</Table.Th>
            {hour && <Table.Th ta="end">{t`Today since ${hour}`}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ code, today, until, lastWeek }) => (
            <Table.Tr key={code}>
              <Table.Td>
                <span title={code}>{reasonOf({ code, reason: null, excess: null })}</span>
                <span className={classes.share} style={{ width: `${(today / most) * 100}%` }} />
              </Table.Td>
              <Table.Td ta="end">{count(until)}</Table.Td>
              <Table.Td ta="end" c="dimmed">
                {count(lastWeek)}
              </Table.Td>
              {hour && <Table.Td ta="end">{count(today - until)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

/** The code with the most refusals today first. */
function rowsOf(overview: OverviewReply): Row[] {
  const { current, week_before } = fullHours(overview) ?? overview.today;
  const [today, until, before] = [byCode(overview.today.current), byCode(current), byCode(week_before)];
  return [...new Set([...today.keys(), ...before.keys()])]
    .map((code) => ({
      code,
      today: today.get(code) ?? 0,
      until: until.get(code) ?? 0,
      lastWeek: before.get(code) ?? 0,
    }))
    .sort((one, other) => other.today - one.today);
}

const byCode = ({ refusals }: Figures) => new Map(refusals.map((refusal) => [refusal.code, refusal.count]));
