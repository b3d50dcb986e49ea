// The merchant's number and QR code for the counter: customers scan or type it, and enter the amount.
import type { Processor } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { MerchantQr } from '../../components/merchant-qr.tsx';
import { Figure, Figures } from '../../components/own/own-page.tsx';
import classes from './own-merchant.module.css';

export function YourQr({ merchant }: { merchant: Processor }) {
  const { t } = useLingui();
  const { merchant_number: number } = merchant;
  if (number === null) return null;
  return (
    <section className={classes.yourQr} aria-label={t`Your QR code`}>
      <Figures>
        <Figure
          label={t`Merchant number`}
          value={number}
          note={t`Customers scan your QR code or type this number, and enter the amount.`}
        />
      </Figures>
      <div className={classes.buttons}>
        <MerchantQr id={merchant.id} number={number} size="lg" />
      </div>
    </section>
  );
}
