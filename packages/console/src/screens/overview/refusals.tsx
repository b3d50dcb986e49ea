// The refusals of payments by their code, today and in the same hours a week before.
import type { Comparison } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Code, Table } from '@mantine/core';
import { Panel } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { count } from '../../format/money.ts';
import classes from './overview.module.css';

export function Refusals({ today }: { today: Comparison }) {
  const { t } = useLingui();
  const before = new Map(today.week_before.refusals.map((refusal) => [refusal.code, refusal.count]));
  const rows = [
    ...today.current.refusals,
    ...today.week_before.refusals
      .filter(({ code }) => !today.current.refusals.some((refusal) => refusal.code === code))
      .map(({ code }) => ({ code, count: 0 })),
  ];
  const most = Math.max(1, ...rows.map((row) => row.count));
  if (rows.length === 0) {
    return (
      <Panel title={t`Refused payments`}>
        <Empty icon="approve" title={t`No payment was refused today`} />
      </Panel>
    );
  }
  return (
    <Panel title={t`Refused payments`} flush>
      <Table verticalSpacing={6} horizontalSpacing="md" className={classes.refusals}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Code`}</Table.Th>
            <Table.Th ta="end">{t`Today`}</Table.Th>
            <Table.Th ta="end">{t`Last week`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ code, count: times }) => (
            <Table.Tr key={code}>
              <Table.Td>
                <Code className={classes.code}>{code}</Code>
                <span className={classes.share} style={{ width: `${(times / most) * 100}%` }} />
              </Table.Td>
              <Table.Td ta="end">{count(times)}</Table.Td>
              <Table.Td ta="end" c="dimmed">
                {count(before.get(code) ?? 0)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
