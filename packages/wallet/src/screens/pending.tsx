// A payment whose result was not known when the wallet was closed.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { storedPending } from '../data/payment.ts';
import { money } from '../format.ts';
import { Home } from './home.tsx';
import { Payment } from './payment.tsx';
import { ShownCode } from './withdraw.tsx';

export function PendingPayment() {
  const [pending] = useState(storedPending);
  if (!pending) return <Home />;
  const { name, amount } = pending;
  return (
    <Payment
      isSent
      title={t`Your payment`}
      action={t`Send it again`}
      lines={[
        [t`To`, name],
        [t`Amount`, money(amount)],
      ]}
      pending={pending}
    >
      {({ cash_out_code: code }) => code && <ShownCode code={code} />}
    </Payment>
  );
}
