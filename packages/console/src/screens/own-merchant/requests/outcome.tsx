// The state of a payment request in large letters: the amount, waiting or paid, and what to do next.
import type { PaymentRequest } from '@kissi/client';
import { Plural, Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { LargeMoney } from '../../../components/large-money.tsx';
import classes from './requests.module.css';

export function Outcome({ request }: { request: PaymentRequest }) {
  const { status, amount, single_use, transaction_ids, payment_count } = request;
  const [receipt] = transaction_ids;
  const isOpen = status === 'open';
  return (
    <>
      <section className={classes.outcome} data-status={status}>
        {!isOpen && (
          <div className={classes.mark}>
            <Icon name={ICONS[status]} size={64} />
          </div>
        )}
        {amount === null ? (
          <div className={classes.any}>
            <Trans>Any amount</Trans>
          </div>
        ) : (
          <LargeMoney value={amount} of="screen" />
        )}
        {/* Read out by screen readers when it changes. */}
        <p className={classes.state} role="status">
          {isOpen && !single_use ? (
            <Plural value={payment_count} _0="Nobody has paid yet" one="# payment" other="# payments" />
          ) : (
            <State request={request} />
          )}
        </p>
      </section>
      {!isOpen && single_use && (
        <div className={classes.next}>
          <Button size="xl" component={Link} to="/shop/charge">
            {status === 'paid' ? <Trans>Charge again</Trans> : <Trans>New charge</Trans>}
          </Button>
          {receipt && (
            <Button size="lg" variant="default" component={Link} to={`/shop/payments/${receipt}`}>
              <Trans>Receipt</Trans>
            </Button>
          )}
        </div>
      )}
    </>
  );
}

const ICONS: Record<Exclude<PaymentRequest['status'], 'open'>, IconName> = {
  paid: 'approve',
  declined: 'close',
  expired: 'clock',
  cancelled: 'close',
};

function State({ request: { status, failure } }: { request: PaymentRequest }): ReactNode {
  if (status === 'paid') return <Trans>Paid</Trans>;
  if (status === 'declined') return <Trans>The customer declined</Trans>;
  if (status === 'expired') return <Trans>The time is over; it was not paid</Trans>;
  if (status === 'cancelled') return <Trans>You cancelled it</Trans>;
  if (failure === 'FAILED') return <Trans>The payment failed. The customer can try again.</Trans>;
  return (
    <>
      <span className={classes.dot} />
      <Trans>Waiting for the customer</Trans>
    </>
  );
}
