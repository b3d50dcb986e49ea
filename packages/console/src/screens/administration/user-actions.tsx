// The dialogs that change a user.
import type { User } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { changedOnly, isFilled } from '../../components/form-values.ts';
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
  const { first_name, last_name, role, pep_access_authorized } = user;
  const before = { first_name, last_name, phone_number: user.phone_number ?? '', role, pep_access_authorized };
  const form = useForm({ initialValues: before });
  const changed = changedOnly(before, form.values);
  const isComplete = isFilled(form.values.first_name, form.values.last_name);
  return (
    <Action
      onClose={onClose}
      title={t`Edit ${user.email}`}
      submitLabel={t`Save`}
      isReady={isComplete && Object.keys(changed).length > 0}
      call={(client) => client.users.update(user.id, changed)}
      doneMessage={t`The user was saved.`}
      changes={CHANGES}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t`First name`} required {...form.getInputProps('first_name')} />
        <TextInput label={t`Last name`} required {...form.getInputProps('last_name')} />
      </SimpleGrid>
      <TextInput label={t`Phone number`} type="tel" placeholder="+232…" {...form.getInputProps('phone_number')} />
      {isStaffRole(user.role) && (
        <ChoiceInput
          label={t`Role`}
          description={t`A new role takes effect with the user's next request.`}
          data={GIVEN_ROLES.filter(isStaffRole).map((value) => ({ value: value as User['role'], label: label(value) }))}
          {...form.getInputProps('role')}
        />
      )}
      <Switch
        label={t`May open records of politically exposed persons`}
        {...form.getInputProps('pep_access_authorized', { type: 'checkbox' })}
      />
    </Action>
  );
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
      showsSecret
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
