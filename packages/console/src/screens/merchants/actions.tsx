// What staff can change about a merchant: record, status, pay-out and transfer.
import type { GetProcessorResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { AddBankAccount } from '../../components/bank-accounts.tsx';
import { ReasonAction } from '../../components/reason-action.tsx';
import { NewPayout } from '../finance/payouts/new-payout.tsx';
import { EditMerchant } from './edit.tsx';
import { MerchantTransfer } from './transfer.tsx';

type Open = 'edit' | 'suspend' | 'reactivate' | 'payout' | 'account' | 'transfer' | null;

export function MerchantActions({ merchant }: { merchant: GetProcessorResponse['processor'] }) {
  const { t } = useLingui();
  const can = useCan();
  const [opened, setOpened] = useState<Open>(null);
  const { id, business_name: name, status } = merchant;
  const close = () => setOpened(null);
  const isActive = status === 'active';
  const common = { onClose: close, changes: ['processor', 'processors'] };
  return (
    <>
      {can('processors:payout') && isActive && (
        <Button onClick={() => setOpened('payout')}>
          <Trans>Pay out</Trans>
        </Button>
      )}
      {can('processors:transfer') && isActive && (
        <Button variant="default" onClick={() => setOpened('transfer')}>
          <Trans>Transfer</Trans>
        </Button>
      )}
      {can('processors:write') && (
        <>
          <Button variant="default" onClick={() => setOpened('edit')}>
            <Trans>Edit</Trans>
          </Button>
          <Button variant="default" onClick={() => setOpened(isActive ? 'suspend' : 'reactivate')}>
            {isActive ? <Trans>Suspend</Trans> : <Trans>Reactivate</Trans>}
          </Button>
        </>
      )}
      {opened === 'edit' && <EditMerchant merchant={merchant} onClose={close} />}
      {opened === 'payout' && (
        <NewPayout merchant={merchant} onAddAccount={() => setOpened('account')} onClose={close} />
      )}
      {opened === 'account' && <AddBankAccount merchantId={id} onClose={close} />}
      {opened === 'transfer' && <MerchantTransfer merchant={merchant} onClose={close} />}
      <ReasonAction
        {...common}
        opened={opened === 'suspend'}
        title={t`Suspend ${name}`}
        description={t`Payments to it are refused, and its keys and users can change nothing.`}
        submitLabel={t`Suspend`}
        isDangerous
        call={(client, reason) => client.processors.suspend(id, { reason })}
        doneMessage={t`The merchant is suspended.`}
      />
      <ReasonAction
        {...common}
        opened={opened === 'reactivate'}
        reason="none"
        title={t`Reactivate ${name}`}
        description={t`It can pay and receive again.`}
        submitLabel={t`Reactivate`}
        call={(client) => client.processors.reactivate(id)}
        doneMessage={t`The merchant is active again.`}
      />
    </>
  );
}
