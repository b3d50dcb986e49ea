// Gives a receipt to the customer: by a message, another app, or a QR code that the customer scans.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Icon } from '../icon.tsx';
import { lazyPart } from '../lazy-part.ts';
import { ShareLink } from './lazy-share-link.ts';
import { loadQr } from './load-qr.ts';
import own from './own.module.css';
import './agent-texts.ts';
import classes from './receipt.module.css';

const Qr = lazyPart(loadQr);

interface SendReceiptProps {
  url: string;
  /** What the message says before the link. */
  text: string;
}

export default function SendReceipt({ url, text }: SendReceiptProps) {
  const { t } = useLingui();
  const [isShown, setShown] = useState(false);
  return (
    <section className={classes.send} aria-label={t`Send the receipt`}>
      <div className={own.share}>
        <Button
          size="lg"
          variant="default"
          leftSection={<Icon name="phone" />}
          component="a"
          // The phone's own messages: the agent's number is the sender, and nothing is sent by itself.
          href={`sms:?&body=${encodeURIComponent(`${text} ${url}`)}`}
        >
          <Trans>Message</Trans>
        </Button>
        <Button
          size="lg"
          variant="default"
          leftSection={<Icon name="qr" />}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Trans>QR code</Trans>
        </Button>
      </div>
      {isShown && (
        <Suspense>
          <Qr text={url} label={t`QR code of the receipt`} />
        </Suspense>
      )}
      <Suspense>
        <ShareLink url={url} title={t`Receipt`} text={text} />
      </Suspense>
    </section>
  );
}
