// Creates a key for the merchant, or revokes one. Its secret is shown once.
import type { CreateOwnKeyRequest, ListTerminalKeysResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { OwnAction } from '../../components/own/own-action.tsx';

export type TerminalKey = ListTerminalKeysResponse['keys'][number];

interface FormProps {
  merchantId: string;
  onClose: () => void;
}

const CHANGES = ['own-merchant'];
/** Loaded before the key is made: its secret must not be lost because a file is missing. */
const loadSecrets = () => import('../../components/shown-once.tsx');

export function CreateKey({ merchantId, onClose }: FormProps) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [use, setUse] = useState<'pay' | 'read'>('pay');
  const scopes: CreateOwnKeyRequest['scopes'] = use === 'pay' ? ['payments:read', 'payments:write'] : ['payments:read'];
  return (
    <OwnAction
      onClose={onClose}
      title={t`New key`}
      description={t`For one terminal or app: each gets its own, so that a lost one can be revoked alone.`}
      submitLabel={t`Create the key`}
      isReady={name.trim() !== ''}
      call={async (client) => {
        const { showOnce } = await loadSecrets();
        const { api_key, secret } = await client.processors.createKey(merchantId, { name: name.trim(), scopes });
        const values: [string, string][] = [
          [t`Key id`, api_key.id],
          [t`Signing secret`, secret],
        ];
        return {
          show: () => showOnce({ title: t`The key's secrets`, values, note: t`Put them into the terminal or app.` }),
        };
      }}
      doneMessage={t`The key was created.`}
      changes={CHANGES}
      showsSecret
      onDone={({ show }) => show()}
    >
      <TextInput
        label={t`Name`}
        placeholder={t`Terminal at the till`}
        required
        data-autofocus
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ChoiceInput
        label={t`What it may do`}
        value={use}
        onChange={setUse}
        data={[
          { value: 'pay', label: t`Take payments and refund them` },
          { value: 'read', label: t`Only read payments` },
        ]}
      />
    </OwnAction>
  );
}

export function RevokeKey({ merchantId, apiKey: { id, name }, onClose }: FormProps & { apiKey: TerminalKey }) {
  const { t } = useLingui();
  return (
    <OwnAction
      onClose={onClose}
      title={t`Revoke ${name}`}
      description={t`The terminal or app with this key can take no more payments. This cannot be undone.`}
      submitLabel={t`Revoke`}
      isDangerous
      call={(client) => client.processors.revokeKey(merchantId, id)}
      doneMessage={t`The key was revoked.`}
      changes={CHANGES}
    />
  );
}
