// What a bulk payment's screen shows, for the merchant and for staff: its state, totals and decisions beside its rows.
import type { BulkPayment } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Title } from '@mantine/core';
import { Suspense } from 'react';
import type { Frame } from '../bank-account/account-forms.tsx';
import { lazyPart } from '../lazy-part.ts';
import { Busy } from '../states.tsx';
import classes from './bulk-payments.module.css';
import { State } from './state.tsx';
import { Totals, Warnings } from './totals.tsx';

/** The state and totals are there first: a merchant may have a slow network. */
const Decisions = lazyPart(() => import('./decisions.tsx'));
const Details = lazyPart(() => import('./details.tsx'));
const Rows = lazyPart(() => import('./rows.tsx'));

interface ContentProps {
  payment: BulkPayment;
  /** Of its changes: a dialog, or a part of the page. */
  frame: Frame;
  /** The list's address. */
  list: string;
}

export function BulkPaymentContent({ payment, frame, list }: ContentProps) {
  const { t } = useLingui();
  return (
    <div className={classes.columns}>
      <div className={classes.part}>
        <State payment={payment} />
        <Warnings payment={payment} />
        <Suspense fallback={<Busy />}>
          <Decisions payment={payment} frame={frame} list={list} />
        </Suspense>
        {payment.status !== 'checking' && (
          <section>
            <Title order={2} mb="xs">{t`Totals (SLE)`}</Title>
            <Totals payment={payment} />
          </section>
        )}
      </div>
      <Suspense fallback={<Busy />}>
        <Rows payment={payment} />
      </Suspense>
      <div className={classes.part}>
        <Suspense>
          <Details payment={payment} list={list} />
        </Suspense>
      </div>
    </div>
  );
}
