// The columns and filters that lists of payments share.
import { useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { zoneName } from '../../format/time.ts';
import { otherName, Party } from '../party.tsx';
import { useTypeName } from '../type-name.ts';
import { Absent, Instant, Money } from '../values.tsx';
import type { Column, Filter } from './definition.ts';

/** The fields that the columns show. Rows about politically exposed persons lack all of them. */
interface Payment {
  type: string;
  created_at: string;
  counterparty: string | null;
  direction: 'debit' | 'credit';
  payer_name?: string | null;
  payee_name?: string | null;
  amount: number;
  fee: number;
  balance_after: number | null;
}

export function usePaymentColumns<Row extends object>() {
  const { t } = useLingui();
  const typeName = useTypeName();
  const zone = zoneName();
  const shown = (cell: (payment: Payment) => ReactNode) => (row: Row) =>
    'type' in row ? cell(row as unknown as Payment) : <Absent />;
  const type: Column<Row> = {
    title: t`Type`,
    keep: 'title',
    cell: (row) => (
      <Text fw={600} inherit miw="8rem">
        {'type' in row ? typeName(String(row.type)) : t`Hidden: a politically exposed person`}
      </Text>
    ),
  };
  const time: Column<Row> = {
    title: t`Time (${zone})`,
    cell: shown(({ created_at }) => <Instant at={created_at} />),
  };
  const otherSide: Column<Row> = {
    title: t`Other side`,
    keep: 'desktop',
    cell: shown((payment) => <Party id={payment.counterparty} name={otherName(payment)} />),
  };
  const fee: Column<Row> = {
    title: t`Fee (SLE)`,
    align: 'end',
    keep: 'tablet',
    cell: shown((payment) => (payment.fee > 0 ? <Money value={payment.fee} /> : <Absent />)),
  };
  const amount: Column<Row> = {
    title: t`Amount (SLE)`,
    align: 'end',
    cell: shown((payment) => <Money value={payment.amount} />),
  };
  /** With the sign that the payment has for the list's account. */
  const change: Column<Row> = {
    ...amount,
    cell: shown((payment) => <Money value={payment.direction === 'debit' ? -payment.amount : payment.amount} signed />),
  };
  const balance = (title: string): Column<Row> => ({
    title,
    align: 'end',
    keep: 'tablet',
    cell: shown(({ balance_after }) => (balance_after === null ? <Absent /> : <Money value={balance_after} />)),
  });
  return { type, time, otherSide, fee, amount, change, balance };
}

export function usePaymentFilters(types: readonly string[]): { type: Filter; from: Filter; to: Filter } {
  const { t } = useLingui();
  const typeName = useTypeName();
  const options = types.map((value) => ({ value, label: typeName(value) }));
  return {
    type: { kind: 'choice', name: 'type', label: t`Type`, options },
    from: { kind: 'date', name: 'from', label: t`From` },
    to: { kind: 'date', name: 'to', label: t`To` },
  };
}
