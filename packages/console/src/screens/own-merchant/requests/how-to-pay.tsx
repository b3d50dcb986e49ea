// What the customer can do to pay: scan the QR code, type the code, dial the string, or open the link.
import type { PaymentRequest } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../components/lazy-part.ts';
import { ShareLink } from '../../../components/own/lazy-share-link.ts';
import { loadQr } from '../../../components/own/load-qr.ts';
import { money } from '../../../format/money.ts';
import { instant } from '../../../format/time.ts';
import classes from './requests.module.css';

const Qr = lazyPart(loadQr);

export function HowToPay({ request }: { request: PaymentRequest }) {
  const { t } = useLingui();
  const { qr, code, ussd, expires_at, single_use, url, payee_name, amount, description } = request;
  const asked = amount === null ? '' : money(amount);
  return (
    <section className={classes.ways}>
      <Suspense fallback={<div className={classes.qr} />}>
        <Qr text={qr} label={t`QR code for the customer`} />
      </Suspense>
      <dl className={classes.codes}>
        <div>
          <dt>
            <Trans>Code</Trans>
          </dt>
          <dd>{grouped(code)}</dd>
        </div>
        {ussd && (
          <div>
            <dt>
              <Trans>Or dial</Trans>
            </dt>
            <dd>{ussd}</dd>
          </div>
        )}
      </dl>
      {single_use && <TimeLeft until={expires_at} />}
      <Suspense>
        <ShareLink url={url} title={payee_name} text={[payee_name, asked, description].filter(Boolean).join(' · ')} />
      </Suspense>
    </section>
  );
}

/** 0123456789 as `0123 456 789`, easier to read out and to type. */
const grouped = (code: string) => code.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3');

const TICK_MS = 1_000;
const HOUR_MINUTES = 60;

function TimeLeft({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1_000));
  const minutes = Math.ceil(seconds / 60);
  return (
    <p className={classes.left}>
      {minutes > HOUR_MINUTES ? (
        <Trans>Valid until {instant(until)}</Trans>
      ) : seconds > 60 ? (
        <Plural value={minutes} one="# minute left" other="# minutes left" />
      ) : (
        <Plural value={seconds} one="# second left" other="# seconds left" />
      )}
    </p>
  );
}
