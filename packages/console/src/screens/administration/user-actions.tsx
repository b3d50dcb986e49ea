// The dialogs that change a user.
import type { User } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import { label } from '../../components/values.tsx';
import { GIVEN_ROLES, isStaffRole } from './user-roles.ts';

interface DialogProps {
  user: User;
  onClose: () => void;
}

const CHANGES = ['users', 'audit'];

export function EditUser({ user, onClose }: DialogProps) {
  const { t } = useLingui();
  const [fields, setFields] = useState({
    first_name: user.first_name,
    last_name: user.last_name,
    phone_number: user.phone_number ?? '',
    role: user.role,
    pep_access_authorized: user.pep_access_authorized,
  });
  const changed = changedFields(fields, user);
  const input = (name: 'first_name' | 'last_name' | 'phone_number') => ({
    value: fields[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setFields({ ...fields, [name]: currentTarget.value }),
  });
  return (
    <Action
      onClose={onClose}
      title={t`Edit ${user.email}`}
      submitLabel={t`Save`}
      isReady={Object.keys(changed).length > 0 && fields.first_name.trim() !== '' && fields.last_name.trim() !== ''}
      call={(client) => client.users.update(user.id, changed)}
      doneMessage={t`The user was saved.`}
      changes={CHANGES}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t`First name`} required {...input('first_name')} />
        <TextInput label={t`Last name`} required {...input('last_name')} />
      </SimpleGrid>
      <TextInput label={t`Phone number`} type="tel" placeholder="+232…" {...input('phone_number')} />
      {isStaffRole(user.role) && (
        <ChoiceInput
          label={t`Role`}
          description={t`A new role takes effect with the next request of the user.`}
          data={GIVEN_ROLES.filter(isStaffRole).map((value) => ({ value: value as User['role'], label: label(value) }))}
          value={fields.role}
          onChange={(role) => setFields({ ...fields, role })}
        />
      )}
      <Switch
        label={t`May open records of politically exposed persons`}
        checked={fields.pep_access_authorized}
        onChange={({ currentTarget }) => setFields({ ...fields, pep_access_authorized: currentTarget.checked })}
      />
    </Action>
  );
}

type Fields = Pick<User, 'first_name' | 'last_name' | 'role' | 'pep_access_authorized'> & { phone_number: string };

/** Only what differs is sent, so that two administrators do not undo each other's changes. */
function changedFields(fields: Fields, user: User): Partial<Fields> {
  const before: Fields = { ...user, phone_number: user.phone_number ?? '' };
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(entries.filter(([name, value]) => value !== before[name as keyof Fields]));
}

export function ChangeStatus({ user, onClose }: DialogProps) {
  const { t } = useLingui();
  const suspends = user.status === 'active';
  return (
    <Action
      onClose={onClose}
      title={suspends ? t`Suspend ${user.email}` : t`Activate ${user.email}`}
      description={suspends ? t`The user is logged out at once and cannot log in.` : t`The user can log in again.`}
      submitLabel={suspends ? t`Suspend` : t`Activate`}
      isDangerous={suspends}
      call={(client) => client.users.update(user.id, { status: suspends ? 'suspended' : 'active' })}
      doneMessage={suspends ? t`The user was suspended.` : t`The user is active.`}
      changes={CHANGES}
    />
  );
}

export function ResetPassword({ user, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <Action
      onClose={onClose}
      title={t`Reset the password of ${user.email}`}
      description={t`All sessions of the user end. You get a temporary password, which the user has to change after the login.`}
      submitLabel={t`Reset the password`}
      isDangerous
      call={(client) => client.users.resetPassword(user.id)}
      doneMessage={t`The password was reset.`}
      changes={CHANGES}
      onDone={(reply) => {
        if (!('temporary_password' in reply)) return;
        const values: [string, string][] = [
          [t`Email`, user.email],
          [t`Temporary password`, reply.temporary_password],
        ];
        showOnce({ title: t`Temporary password`, values, note: t`Give it to the user in person or by phone.` });
      }}
    />
  );
}

export function ResetSecondFactor({ user, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <Action
      onClose={onClose}
      title={t`Reset the second factor of ${user.email}`}
      description={t`Authenticator app, passkeys and recovery codes are removed, and all sessions end. Make sure that it is the user who asks.`}
      submitLabel={t`Reset the second factor`}
      isDangerous
      call={(client) => client.users.resetSecondFactor(user.id)}
      doneMessage={t`The second factor was reset.`}
      changes={CHANGES}
    />
  );
}
