// A screen of an agent's or merchant's own login that pays: a new form for each payment.
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';
import { OwnPage } from './own-page.tsx';

export interface OwnPayer {
  large: true;
  onRestart: () => void;
  onClose: () => void;
}

interface OwnPaymentProps {
  title: string;
  home: string;
  children: (payer: OwnPayer) => ReactNode;
}

export function OwnPayment({ title, home, children }: OwnPaymentProps) {
  const navigate = useNavigate();
  const [round, setRound] = useState(0);
  return (
    <OwnPage title={title} home={home} narrow>
      <Fragment key={round}>
        {children({
          large: true,
          onRestart: () => setRound(round + 1),
          onClose: () => void navigate({ to: home }),
        })}
      </Fragment>
    </OwnPage>
  );
}
