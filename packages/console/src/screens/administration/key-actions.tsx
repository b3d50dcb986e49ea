// The dialogs that change an API key.
import type { ApiKey } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { useShowKey } from './show-key.ts';

interface DialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

const CHANGES = ['api-keys'];

export function EditKey({ apiKey, onClose }: DialogProps) {
  const { t } = useLingui();
  const [name, setName] = useState(apiKey.name);
  const [scopes, setScopes] = useState<string[]>(apiKey.scopes);
  const isRenamed = name.trim() !== '' && name.trim() !== apiKey.name;
  const isNarrowed = scopes.length < apiKey.scopes.length;
  return (
    <Action
      onClose={onClose}
      title={t`Edit the key ${apiKey.name}`}
      description={t`Scopes can be taken away, but not added: create a new key for that.`}
      submitLabel={t`Save`}
      isReady={(isRenamed || isNarrowed) && scopes.length > 0}
      call={(client) =>
        client.apiKeys.update(apiKey.id, {
          ...(isRenamed ? { name: name.trim() } : {}),
          ...(isNarrowed ? { scopes } : {}),
        })
      }
      doneMessage={t`The key was saved.`}
      changes={CHANGES}
    >
      <TextInput label={t`Name`} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} required />
      <Checkbox.Group label={t`Scopes`} value={scopes} onChange={setScopes}>
        <Stack gap="xs" mt="xs">
          {apiKey.scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Action>
  );
}

export function RotateKey({ apiKey, onClose }: DialogProps) {
  const { t } = useLingui();
  const showKey = useShowKey();
  const [overlap, setOverlap] = useState('86400');
  return (
    <Action
      onClose={onClose}
      title={t`Rotate the key ${apiKey.name}`}
      description={t`The key gets new secrets. The current ones remain valid for a while, so that the system can switch.`}
      submitLabel={t`Rotate`}
      call={(client) => client.apiKeys.rotate(apiKey.id, { overlap_seconds: overlap })}
      doneMessage={t`The key was rotated.`}
      changes={CHANGES}
      showsSecret
      onDone={showKey}
    >
      <ChoiceInput
        label={t`The old secrets stay valid for`}
        data={[
          { value: '0', label: t`None: they expire at once` },
          { value: '3600', label: t`1 hour` },
          { value: '86400', label: t`1 day` },
          { value: '604800', label: t`7 days` },
        ]}
        value={overlap}
        onChange={setOverlap}
      />
    </Action>
  );
}

export function RevokeKey({ apiKey, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <Action
      onClose={onClose}
      title={t`Revoke the key ${apiKey.name}`}
      description={t`Its requests are refused from now on. This cannot be undone.`}
      submitLabel={t`Revoke`}
      isDangerous
      call={(client) => client.apiKeys.revoke(apiKey.id)}
      doneMessage={t`The key was revoked.`}
      changes={CHANGES}
    />
  );
}
