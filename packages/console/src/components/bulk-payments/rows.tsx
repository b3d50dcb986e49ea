// The rows of a bulk payment in the order of the file: which of them, and what is wrong with each, in its place.
import type { BulkPayment, BulkPaymentRow } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Title } from '@mantine/core';
import { useState } from 'react';
import { amount as amountOf, count } from '../../format/money.ts';
import { Chips } from '../own/chips.tsx';
import own from '../own/own.module.css';
import { Empty, Waiting } from '../states.tsx';
import { Absent, Status } from '../status.tsx';
import classes from './bulk-payments.module.css';
import { useRows } from './use-bulk-payment.ts';
import { REASONS, ROW_STATES, WARNINGS } from './words.ts';

type View = '' | 'no_match' | BulkPaymentRow['status'];

export default function Rows({ payment }: { payment: BulkPayment }) {
  const { t } = useLingui();
  const [chosen, choose] = useState<View | null>(null);
  const { status } = payment;
  const views = useViews(payment);
  // What needs a look comes first, until the reader chooses.
  const view = chosen ?? views.find(([, , isFirst]) => isFirst)?.[0] ?? '';
  return (
    <section>
      <Title order={2} mb="xs">{t`Rows (SLE)`}</Title>
      {status !== 'checking' && views.length > 1 && (
        <div className={classes.form}>
          <Chips
            choices={views.map(([value, name]) => [value, name] as const)}
            value={view}
            onChange={(value) => choose(value as View)}
          />
          <List payment={payment} view={view} />
        </div>
      )}
      {(status === 'checking' || views.length === 1) && <List payment={payment} view="" />}
    </section>
  );
}

/** Only those with rows. */
function useViews(payment: BulkPayment): [view: View, name: string, isFirst?: boolean][] {
  const { t } = useLingui();
  const { row_count, invalid_count, name_mismatch_count, paid_count, failed_count, status } = payment;
  const { unclaimed_count, returned_count, cancelled_count } = payment;
  const isChecked = status === 'checked';
  const views: [View, string, number, boolean?][] = [
    ['', t`All`, row_count],
    ['invalid', t`Cannot be paid`, invalid_count, isChecked],
    ['no_match', t`Another name`, name_mismatch_count, isChecked],
    ['failed', t`Failed`, failed_count, !isChecked],
    ['paid', t`Paid`, paid_count],
    ['unclaimed', t`Code sent`, unclaimed_count],
    ['returned', t`Code not used`, returned_count],
    ['cancelled', t`Cancelled`, cancelled_count],
  ];
  return views
    .filter(([, , rows]) => rows > 0)
    .map(([view, name, rows, isFirst = false]) => [view, `${name} ${count(rows)}`, isFirst]);
}

function List({ payment, view }: { payment: BulkPayment; view: View }) {
  const query = view === '' ? {} : view === 'no_match' ? { name_match: view } : { status: view };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useRows(payment, query);
  if (!data) return <Waiting error={error} retry={refetch} />;
  const rows = data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <Empty icon="search" title={<Trans>No such rows</Trans>} />;
  return (
    <>
      <ul className={own.rows}>
        {rows.map((row) => (
          <li key={row.line}>
            <Row row={row} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          mt="sm"
          size="md"
          variant="default"
          fullWidth
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          <Trans>Show more ({count(rows.length)} shown)</Trans>
        </Button>
      )}
    </>
  );
}

/** The name is what the payer wrote, never the wallet's. */
function Row({ row }: { row: BulkPaymentRow }) {
  const { i18n } = useLingui();
  const { line, status, reference, phone_number, account_number, name, amount, fee, reason, reason_text } = row;
  const [state, tone] = ROW_STATES[status];
  const why = reason && REASONS[reason] ? i18n._(REASONS[reason]) : reason_text;
  const isWrong = status === 'invalid' || status === 'failed';
  return (
    <div className={classes.row} data-wrong={isWrong}>
      <span>
        <b>{phone_number ?? account_number ?? <Absent />}</b> {name}
      </span>
      <b className={classes.amount}>{amount === null ? <Absent /> : amountOf(amount)}</b>
      <small>
        <Trans>Line {line}</Trans> · {reference ?? <Absent />}
        {row.description && ` · ${row.description}`}
        {(fee ?? 0) > 0 && (
          <>
            {' · '}
            <Trans>Fee {amountOf(fee ?? 0)}</Trans>
          </>
        )}
      </small>
      <span className={classes.status}>
        <Status value={status} tone={tone} text={i18n._(state)} />
      </span>
      {why && <span className={`${classes.note} ${isWrong ? classes.wrong : ''}`}>{why}</span>}
      {row.name_match === 'no_match' && (
        <span className={`${classes.note} ${classes.doubt}`}>
          <Trans>The wallet with this number has another name than “{name}”.</Trans>
        </span>
      )}
      {row.warnings.map((warning) => (
        <span key={warning} className={`${classes.note} ${classes.doubt}`}>
          {i18n._(WARNINGS[warning])}
        </span>
      ))}
    </div>
  );
}
