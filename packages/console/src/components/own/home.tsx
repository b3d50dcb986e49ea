// The first screen of an agent's or merchant's own login: the balance, a large button for each task, today's figures and payments.

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Alert, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { IconName } from '../icon.tsx';
import { Empty, Waiting } from '../states.tsx';
import { install } from './install.ts';
import { Movements, type OwnMovement } from './movements.tsx';
import { Columns, Figures, OwnPage, Tiles } from './own-page.tsx';

interface HomeProps<Today extends { transactions: unknown[] }> {
  name: string;
  /** Shown unless the account is active: why it can neither pay nor receive. */
  warning: ReactNode;
  balance: ReactNode;
  tiles: ReactNode;
  today: UseQueryResult<Today>;
  figures: (today: Today) => ReactNode;
  /** Below the figures. */
  chart?: ReactNode;
  icon: IconName;
  receiptAt: (id: string) => string;
}

export function OwnHome<Today extends { transactions: unknown[] }>(props: HomeProps<Today>) {
  const { t } = useLingui();
  const { name, warning, balance, tiles, today, figures, chart, icon, receiptAt } = props;
  const { data, error, refetch } = today;
  useEffect(() => {
    // After the screen itself, on a slow network.
    if (import.meta.env.PROD) install();
  }, []);
  return (
    <OwnPage title={name}>
      {warning && (
        <Alert color="red" role="status">
          {warning}
        </Alert>
      )}
      {balance}
      <Tiles>{tiles}</Tiles>
      {!data && <Waiting error={error} retry={refetch} rows={4} />}
      {data && (
        <Columns>
          <section>
            <Title order={2}>{t`Today (SLE)`}</Title>
            <Figures>{figures(data)}</Figures>
            {chart}
          </section>
          <section>
            <Title order={2}>{t`Latest payments (SLE)`}</Title>
            {data.transactions.length === 0 ? (
              <Empty icon={icon} title={<Trans>No payments yet today</Trans>} />
            ) : (
              <Movements rows={data.transactions as OwnMovement[]} receiptAt={receiptAt} />
            )}
          </section>
        </Columns>
      )}
    </OwnPage>
  );
}

export const PaymentCount = ({ value }: { value: number }) => (
  <Plural value={value} one="# payment" other="# payments" />
);
