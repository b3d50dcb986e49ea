// What can be done with a customer, as far as the role may.
import type { SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { useCan, useUser } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { VerifyDialog } from './verify.tsx';

type Dialog = 'verify' | 'resend' | 'activate' | 'block' | 'unblock' | 'reset' | 'unlock' | 'edit' | 'pep';

const EditDialog = lazyPart(async () => ({ default: (await import('./edit.tsx')).EditDialog }));

const CHANGES = ['subscribers', 'audit'];

export function CustomerActions({ customer }: { customer: SubscriberView }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const entries = useEntries(customer);
  const [first, ...others] = entries;
  if (!first) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name={first.icon} size={16} />}
        onClick={() => setDialog(first.dialog)}
      >
        {first.label}
      </Button>
      {others.length > 0 && (
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <Button variant="default" rightSection={<Icon name="chevronDown" size={16} />}>
              <Trans>More</Trans>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((entry) => (
              <Menu.Item
                key={entry.dialog}
                leftSection={<Icon name={entry.icon} size={16} />}
                onClick={() => setDialog(entry.dialog)}
              >
                {entry.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog && <Dialogs dialog={dialog} customer={customer} onClose={() => setDialog(null)} />}
    </>
  );
}

interface Entry {
  dialog: Dialog;
  icon: IconName;
  label: string;
}

function useEntries({ status, phone_verified = true, pin_locked_until, is_pep }: SubscriberView): Entry[] {
  const { t } = useLingui();
  const can = useCan();
  const { role } = useUser();
  // The service lets compliance change only the KYC level and the mark of a politically exposed person.
  const mayEdit = can('subscribers:update') && role !== 'compliance_user';
  const verification: Entry[] =
    phone_verified || !can('subscribers:write')
      ? []
      : [
          { dialog: 'verify', icon: 'approve', label: t`Enter the code` },
          { dialog: 'resend', icon: 'key', label: t`Send a new code` },
        ];
  // Nothing else can be done with a registration that is not verified.
  if (!phone_verified && status === 'PENDING') return verification;
  const entries: (Entry | false)[] = [
    ...verification,
    status === 'PENDING' && can('subscribers:activate') && { dialog: 'activate', icon: 'approve', label: t`Activate` },
    status === 'BLOCKED' && can('subscribers:unblock') && { dialog: 'unblock', icon: 'approve', label: t`Unblock` },
    status !== 'BLOCKED' && can('subscribers:block') && { dialog: 'block', icon: 'lock', label: t`Block` },
    mayEdit && { dialog: 'edit', icon: 'user', label: t`Change data` },
    phone_verified && can('pins:reset') && { dialog: 'reset', icon: 'key', label: t`Reset the PIN` },
    Boolean(pin_locked_until) && can('pins:unlock') && { dialog: 'unlock', icon: 'key', label: t`Unlock the PIN` },
    can('subscribers:documents') && {
      dialog: 'pep',
      icon: 'shield',
      label: is_pep ? t`No longer politically exposed` : t`Mark as politically exposed`,
    },
  ];
  return entries.filter((entry) => entry !== false);
}

interface DialogProps {
  dialog: Dialog;
  customer: SubscriberView;
  onClose: () => void;
}

function Dialogs({ dialog, customer, onClose }: DialogProps): ReactNode {
  const { t } = useLingui();
  const { id, phone_number, is_pep } = customer;
  const shared = { onClose, changes: CHANGES };
  switch (dialog) {
    case 'edit':
      return (
        <Suspense>
          <EditDialog customer={customer} onClose={onClose} />
        </Suspense>
      );
    case 'verify':
      return <VerifyDialog customer={customer} onClose={onClose} />;
    case 'resend':
      return (
        <Action
          {...shared}
          title={t`Send a new code`}
          description={t`A code is sent to ${phone_number ?? ''}. The code before it becomes invalid.`}
          submitLabel={t`Send the code`}
          doneMessage={t`The code was sent.`}
          call={(client) => client.registration.resendCode(id)}
        />
      );
    case 'activate':
      return (
        <Action
          {...shared}
          title={t`Activate the wallet`}
          description={t`The wallet can pay and receive afterwards.`}
          submitLabel={t`Activate`}
          doneMessage={t`The wallet is active.`}
          call={(client) => client.subscribers.activate(id)}
        />
      );
    case 'block':
      return (
        <ReasonDialog
          {...shared}
          isDangerous
          title={t`Block the customer`}
          description={t`The wallet and its cards neither pay nor receive until a compliance user unblocks it.`}
          submitLabel={t`Block`}
          doneMessage={t`The customer is blocked.`}
          call={(reason) => (client) => client.subscribers.block(id, { reason })}
        />
      );
    case 'unblock':
      return (
        <ReasonDialog
          {...shared}
          isOptional
          title={t`Unblock the customer`}
          description={t`The wallet can pay and receive again.`}
          submitLabel={t`Unblock`}
          doneMessage={t`The customer is unblocked.`}
          call={(reason) => (client) => client.subscribers.unblock(id, reason ? { reason } : {})}
        />
      );
    case 'reset':
      return (
        <ReasonDialog
          {...shared}
          isOptional
          title={t`Reset the PIN`}
          description={t`A code is sent to ${phone_number ?? ''}. Within 15 minutes the customer sets a new PIN with it. The old PIN works until then; if somebody else knows it, block the customer. After the new PIN the daily limit is a tenth for 24 hours.`}
          submitLabel={t`Send the code`}
          doneMessage={t`The code was sent.`}
          call={(reason) => (client) => client.subscribers.resetPin(id, reason ? { reason } : {})}
        />
      );
    case 'unlock':
      return (
        <ReasonDialog
          {...shared}
          isOptional
          title={t`Unlock the PIN`}
          description={t`The customer can try the PIN again at once.`}
          submitLabel={t`Unlock`}
          doneMessage={t`The PIN is unlocked.`}
          call={(reason) => (client) => client.subscribers.unlockPin(id, reason ? { reason } : {})}
        />
      );
    case 'pep':
      return (
        <Action
          {...shared}
          title={is_pep ? t`No longer politically exposed` : t`Mark as politically exposed`}
          description={
            is_pep
              ? t`All staff who see customers see this record again.`
              : t`Only users who are authorized for politically exposed persons can open the record, with a code on their phone.`
          }
          submitLabel={t`Confirm`}
          doneMessage={t`The record was changed.`}
          call={(client) => client.subscribers.update(id, { is_pep: !is_pep })}
        />
      );
  }
}
