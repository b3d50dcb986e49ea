// What finance has to do this morning, each with a link to the screen for it.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { Link } from '../../../components/link.tsx';
import { Panel } from '../../../components/page.tsx';
import { date } from '../../../format/time.ts';
import classes from '../finance.module.css';
import { type Finance, openNow, sumOf } from '../open-items.ts';

export function ToDo({ finance }: { finance: Finance }) {
  const { t } = useLingui();
  const { statements, unmatched, suspense, closes } = finance;
  const { bank, books, today } = openNow(unmatched);
  const old = unmatched.bank.under_7_days + unmatched.bank.older + unmatched.books.under_7_days + unmatched.books.older;
  const open = bank + books;
  const due = open - today;
  const shown = due > 0 ? open : 0;
  const covered = statements.covered_until ? date(statements.covered_until) : '–';
  const last = closes.last_date ? date(closes.last_date) : '–';
  const waiting = sumOf(suspense);
  return (
    <Panel title={t`To do`} flush>
      <ol className={classes.steps}>
        <Step
          to="/finance/statements"
          isDone={statements.missing === 0}
          details={<Trans>Covered up to {covered}</Trans>}
        >
          <Plural
            value={statements.missing}
            _0="All bank statements are there"
            one="# bank statement from yesterday is missing"
            other="# bank statements from yesterday are missing"
          />
        </Step>
        <Step
          to="/finance/reconciliation"
          isDone={due === 0}
          details={
            <Trans>
              Bank {bank}, books {books}; {today} from today, {old} older than 3 days
            </Trans>
          }
        >
          <Plural
            value={shown}
            _0="Everything up to yesterday is matched"
            one="# item without a match"
            other="# items without a match"
          />
        </Step>
        <Step to="/finance/suspense" isDone={waiting === 0} details={<Trans>Credits whose payer is unknown</Trans>}>
          <Plural value={waiting} _0="Nothing in suspense" one="# item in suspense" other="# items in suspense" />
        </Step>
        <Step to="/finance/closes" isDone={closes.missing === 0} details={<Trans>Last close: {last}</Trans>}>
          <Plural
            value={closes.missing}
            _0="All days are closed"
            one="# day is not closed"
            other="# days are not closed"
          />
        </Step>
      </ol>
    </Panel>
  );
}

interface StepProps {
  to: string;
  isDone: boolean;
  details: ReactNode;
  children: ReactNode;
}

function Step({ to, isDone, details, children }: StepProps) {
  return (
    <li>
      <Link to={to} className={classes.step ?? ''} underline="never" c="inherit">
        <span className={classes.mark} data-done={isDone}>
          <Icon name={isDone ? 'approve' : 'clock'} size={16} />
        </span>
        <span className={classes.grow}>
          <Text component="span" size="sm" fw={600} display="block">
            {children}
          </Text>
          <Text component="span" size="xs" c="dimmed">
            {details}
          </Text>
        </span>
        <Icon name="chevronRight" size={16} />
      </Link>
    </li>
  );
}
