// Creates a user with a first password that the console draws and shows once.
import { useLingui } from '@lingui/react/macro';
import { SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { needsApproval } from '../../api/approval.ts';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { trimmed } from '../../components/form-values.ts';
import { PartyPicker } from '../../components/party-picker.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import { label } from '../../components/values.tsx';
import { GIVEN_ROLES, type GivenRole, isAgentRole } from './user-roles.ts';

const EMPTY = {
  first_name: '',
  last_name: '',
  email: '',
  phone_number: '',
  agent_id: '',
  role: '' as GivenRole | '',
  pep_access_authorized: false,
};

export function CreateUser({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useForm({ initialValues: EMPTY });
  const [password] = useState(drawPassword);
  const { first_name, last_name, email, phone_number, agent_id, role, pep_access_authorized } = trimmed(form.values);
  const input = (name: keyof typeof EMPTY) => ({ autoComplete: 'off', ...form.getInputProps(name) });
  const needsAgent = isAgentRole(role);
  return (
    <Action
      onClose={onClose}
      title={t`New user`}
      description={t`The console generates a first password and shows it to you once. With a phone number, it is also sent there by message.`}
      submitLabel={t`Create the user`}
      isSecret
      isReady={Boolean(first_name && last_name && email && role && (!needsAgent || agent_id))}
      call={(client) =>
        client.users.create({
          first_name,
          last_name,
          email,
          password,
          role: role as GivenRole,
          ...(phone_number ? { phone_number } : {}),
          ...(needsAgent ? { agent_id } : {}),
          ...(pep_access_authorized ? { pep_access_authorized } : {}),
        })
      }
      doneMessage={t`The user was created.`}
      changes={['users']}
      showsSecret
      onDone={(reply) => {
        const note = [
          needsApproval(reply) ? t`The user can log in once a second administrator has approved.` : '',
          phone_number
            ? t`It is also sent to ${phone_number} by message.`
            : t`Give it to the user in person or by phone.`,
          t`Ask the user to change it after the first login.`,
        ];
        showOnce({
          title: t`First password`,
          values: [
            [t`Email`, email],
            [t`Password`, password],
          ],
          note: note.join(' '),
        });
        if ('user_id' in reply) void navigate({ to: `/users/${reply.user_id}` });
      }}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t`First name`} required data-autofocus {...input('first_name')} />
        <TextInput label={t`Last name`} required {...input('last_name')} />
      </SimpleGrid>
      <TextInput label={t`Email`} type="email" required {...input('email')} />
      <TextInput
        label={t`Phone number`}
        description={t`For the first password, and codes that open records of politically exposed persons`}
        type="tel"
        placeholder="+232…"
        {...input('phone_number')}
      />
      <ChoiceInput
        label={t`Role`}
        required
        data={[
          { value: '', label: t`Choose a role` },
          ...GIVEN_ROLES.map((value) => {
            const name = label(value);
            return { value, label: isAgentRole(value) ? t`${name} (additional agent login)` : name };
          }),
        ]}
        {...form.getInputProps('role')}
      />
      {needsAgent && (
        <PartyPicker
          label={t`Agent`}
          description={t`The first login is created with the agent.`}
          types={['agent']}
          required
          {...form.getInputProps('agent_id')}
        />
      )}
      <Switch
        label={t`May open records of politically exposed persons`}
        {...form.getInputProps('pep_access_authorized', { type: 'checkbox' })}
      />
    </Action>
  );
}

/** Without letters that are easily confused, and with each kind of character that the service demands. */
function drawPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const drawn = Array.from(crypto.getRandomValues(new Uint32Array(16)), (n) => letters.charAt(n % letters.length));
  const groups = [0, 4, 8, 12].map((start) => drawn.slice(start, start + 4).join(''));
  return `${groups.join('-')}-Kx7`;
}
