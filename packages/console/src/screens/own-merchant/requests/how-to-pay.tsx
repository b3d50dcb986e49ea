// What the customer can do to pay: scan the QR code, type the code, dial the string, or open the link.
import type { PaymentRequest } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, CopyButton } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { lazyPart } from '../../../components/lazy-part.ts';
import { notifyFailure } from '../../../components/notices.tsx';
import { money } from '../../../format/money.ts';
import { instant } from '../../../format/time.ts';
import { loadQr } from './load-qr.ts';
import classes from './requests.module.css';

const Qr = lazyPart(loadQr);

export function HowToPay({ request }: { request: PaymentRequest }) {
  const { t } = useLingui();
  const { qr, code, ussd, expires_at, single_use } = request;
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
      <Share request={request} />
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

function Share({ request: { url, payee_name: name, amount, description } }: { request: PaymentRequest }) {
  const { t } = useLingui();
  const canShare = 'share' in navigator;
  const asked = amount === null ? '' : money(amount);
  const share = async () => {
    try {
      await navigator.share({ title: name, text: [name, asked, description].filter(Boolean).join(' · '), url });
    } catch (error) {
      // The user closed the phone's list of apps.
      if ((error as Error).name !== 'AbortError') notifyFailure(error);
    }
  };
  return (
    <div className={classes.share}>
      {canShare && (
        <Button size="lg" variant="default" leftSection={<Icon name="share" />} onClick={() => void share()}>
          <Trans>Share the link</Trans>
        </Button>
      )}
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button
            size="lg"
            variant="default"
            title={url}
            leftSection={<Icon name={copied ? 'approve' : 'copy'} />}
            onClick={copy}
            aria-label={copied ? t`Copied` : t`Copy the link`}
          >
            {copied ? <Trans>Copied</Trans> : <Trans>Copy the link</Trans>}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
