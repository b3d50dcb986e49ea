// What staff can change about a merchant: record, status, pay-out and transfer.
import type { GetProcessorResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../api/user.ts';
import { Choices } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { useStatusChange } from '../../components/status-change.tsx';

/** Loaded when they are opened. */
const AddLogin = lazyPart(() => import('./add-login.tsx'));
const EditMerchant = lazyPart(async () => ({ default: (await import('./edit.tsx')).EditMerchant }));
const MerchantPayment = lazyPart(() => import('./payment.tsx'));

export function MerchantActions({ merchant }: { merchant: GetProcessorResponse['processor'] }) {
  const { t } = useLingui();
  const can = useCan();
  const { id, business_name: name, status } = merchant;
  const isActive = status === 'active';
  const changeStatus = useStatusChange({
    name,
    isActive,
    note: t`Payments to it are refused, and its keys and users can change nothing.`,
    doneMessages: [t`The merchant is suspended.`, t`The merchant is active again.`],
    changes: ['processor', 'processors'],
    suspend: (client, reason) => client.processors.suspend(id, { reason }),
    reactivate: (client) => client.processors.reactivate(id),
  });
  return (
    <Choices
      buttons={[
        isActive &&
          can('processors:payout') && {
            label: t`Pay out`,
            look: 'primary',
            dialog: (onClose) => <MerchantPayment kind="payout" merchant={merchant} onClose={onClose} />,
          },
        isActive &&
          can('processors:transfer') && {
            label: t`Transfer`,
            dialog: (onClose) => <MerchantPayment kind="transfer" merchant={merchant} onClose={onClose} />,
          },
        can('processors:write') && {
          label: t`Edit`,
          dialog: (onClose) => <EditMerchant merchant={merchant} onClose={onClose} />,
        },
        can('processors:write') && changeStatus,
        isActive &&
          can('users') && {
            label: t`Add a login`,
            dialog: (onClose) => <AddLogin merchant={merchant} onClose={onClose} />,
          },
      ]}
    />
  );
}
