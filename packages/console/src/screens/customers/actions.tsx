// What the user's role may do with a customer.
import type { SubscriberView } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan, useUser } from '../../api/user.ts';
import { Choices, type Offered } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { VerifyDialog } from './verify.tsx';

/** Loaded when they are opened. */
const EditDialog = lazyPart(async () => ({ default: (await import('./edit.tsx')).EditDialog }));

const ExportDialog = lazyPart(async () => ({ default: (await import('./personal-data.tsx')).ExportDialog }));
const EraseDialog = lazyPart(async () => ({ default: (await import('./personal-data.tsx')).EraseDialog }));

const CHANGES = ['subscribers', 'audit'];

export function CustomerActions({ customer }: { customer: SubscriberView }) {
  const { status, phone_verified = true } = customer;
  const verification = useVerification(customer);
  const others = [...useWalletChoices(customer), ...usePinChoices(customer), ...usePersonalDataChoices(customer)];
  // Nothing else can be done with a registration that is not verified.
  const all = !phone_verified && status === 'PENDING' ? verification : [...verification, ...others];
  const [first, ...more] = all.filter((each) => each !== false);
  return <Choices buttons={first ? [first] : []} more={more} />;
}

function useVerification(customer: SubscriberView): Offered[] {
  const { t } = useLingui();
  const can = useCan();
  const { id, phone_number, phone_verified = true } = customer;
  if (phone_verified || !can('subscribers:write')) return [];
  return [
    {
      label: t`Enter the code`,
      icon: 'approve',
      dialog: (onClose) => <VerifyDialog customer={customer} onClose={onClose} />,
    },
    {
      label: t`Send a new code`,
      icon: 'key',
      action: {
        reason: 'none',
        title: t`Send a new code`,
        description: t`A code is sent to ${phone_number ?? ''}. The previous code becomes invalid.`,
        submitLabel: t`Send the code`,
        doneMessage: t`The code was sent.`,
        call: (client) => client.registration.resendCode(id),
        changes: CHANGES,
      },
    },
  ];
}

function useWalletChoices(customer: SubscriberView): Offered[] {
  const { t } = useLingui();
  const can = useCan();
  const { role } = useUser();
  const { id, status } = customer;
  // The service lets compliance change only the KYC level and the mark of a politically exposed person.
  const mayEdit = can('subscribers:update') && role !== 'compliance_user';
  return [
    status === 'PENDING' &&
      can('subscribers:activate') && {
        label: t`Activate`,
        icon: 'approve',
        action: {
          reason: 'none',
          title: t`Activate the wallet`,
          description: t`The wallet can pay and receive afterwards.`,
          submitLabel: t`Activate`,
          doneMessage: t`The wallet is active.`,
          call: (client) => client.subscribers.activate(id),
          changes: CHANGES,
        },
      },
    status === 'BLOCKED' &&
      can('subscribers:unblock') && {
        label: t`Unblock`,
        icon: 'approve',
        action: {
          reason: 'optional',
          title: t`Unblock the customer`,
          description: t`The wallet can pay and receive again.`,
          submitLabel: t`Unblock`,
          doneMessage: t`The customer is unblocked.`,
          call: (client, reason) => client.subscribers.unblock(id, reason ? { reason } : {}),
          changes: CHANGES,
        },
      },
    status !== 'BLOCKED' &&
      can('subscribers:block') && {
        label: t`Block`,
        icon: 'lock',
        action: {
          isDangerous: true,
          title: t`Block the customer`,
          description: t`The wallet and its cards neither pay nor receive until a compliance user unblocks it.`,
          submitLabel: t`Block`,
          doneMessage: t`The customer is blocked.`,
          call: (client, reason) => client.subscribers.block(id, { reason }),
          changes: CHANGES,
        },
      },
    mayEdit && {
      label: t`Change data`,
      icon: 'user',
      dialog: (onClose) => <EditDialog customer={customer} onClose={onClose} />,
    },
  ];
}

function usePinChoices({
  id,
  phone_number,
  phone_verified = true,
  pin_locked_until,
  is_pep,
  status,
}: SubscriberView): Offered[] {
  const { t } = useLingui();
  const can = useCan();
  return [
    phone_verified &&
      status !== 'BLOCKED' &&
      can('pins:reset') && {
        label: t`Reset the PIN`,
        icon: 'key',
        action: {
          reason: 'optional',
          title: t`Reset the PIN`,
          description: t`A code is sent to ${phone_number ?? ''}. Within 15 minutes the customer sets a new PIN with it. The old PIN works until then; if somebody else knows it, block the customer. After the PIN is changed, the daily limit is a tenth for 24 hours.`,
          submitLabel: t`Send the code`,
          doneMessage: t`The code was sent.`,
          call: (client, reason) => client.subscribers.resetPin(id, reason ? { reason } : {}),
          changes: CHANGES,
        },
      },
    Boolean(pin_locked_until) &&
      can('pins:unlock') && {
        label: t`Unlock the account`,
        icon: 'key',
        action: {
          reason: 'optional',
          title: t`Unlock the account`,
          description: t`The customer can try the PIN again at once.`,
          submitLabel: t`Unlock`,
          doneMessage: t`The account is unlocked.`,
          call: (client, reason) => client.subscribers.unlockPin(id, reason ? { reason } : {}),
          changes: CHANGES,
        },
      },
    can('subscribers:documents') && {
      label: is_pep ? t`No longer politically exposed` : t`Mark as politically exposed`,
      icon: 'shield',
      action: {
        reason: 'none',
        title: is_pep ? t`No longer politically exposed` : t`Mark as politically exposed`,
        description: is_pep
          ? t`All staff who see customers see this record again.`
          : t`Only users who are authorized for politically exposed persons can open the record, with a code on their phone.`,
        submitLabel: t`Confirm`,
        doneMessage: t`The record was changed.`,
        call: (client) => client.subscribers.update(id, { is_pep: !is_pep }),
        changes: CHANGES,
      },
    },
  ];
}

function usePersonalDataChoices(customer: SubscriberView): Offered[] {
  const { t } = useLingui();
  const can = useCan();
  return [
    can('privacy:export') && {
      label: t`Export personal data`,
      icon: 'download',
      dialog: (onClose) => <ExportDialog customer={customer} onClose={onClose} />,
    },
    can('privacy:erase') && {
      label: t`Erase personal data`,
      icon: 'close',
      look: 'danger',
      dialog: (onClose) => <EraseDialog customer={customer} onClose={onClose} />,
    },
  ];
}
