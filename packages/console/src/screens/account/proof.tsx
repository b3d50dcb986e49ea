// Asks for the password or a code before a change of the second factors: an open session alone is not enough.
import { useLingui } from '@lingui/react/macro';
import { PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';

export interface Proof {
  password?: string;
  code?: string;
}

interface ProofState {
  kind: 'password' | 'code';
  text: string;
}

export function useProof() {
  const [state, setState] = useState<ProofState>({ kind: 'password', text: '' });
  const text = state.kind === 'code' ? state.text.replaceAll(' ', '') : state.text;
  const proof: Proof = state.kind === 'code' ? { code: text } : { password: text };
  return { state, setState, proof, isReady: text !== '' };
}

interface ProofFieldsProps {
  state: ProofState;
  setState: (state: ProofState) => void;
  /** False if the user has no second factor yet, so there are no codes. */
  canUseCode: boolean;
}

export function ProofFields({ state: { kind, text }, setState, canUseCode }: ProofFieldsProps) {
  const { t } = useLingui();
  const input = {
    value: text,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setState({ kind, text: currentTarget.value }),
    required: true,
    'data-autofocus': true,
  };
  return (
    <Stack gap="sm">
      {canUseCode && (
        <SegmentedControl
          aria-label={t`How you prove that it is you`}
          value={kind}
          onChange={(next) => setState({ kind: next as ProofState['kind'], text: '' })}
          data={[
            { value: 'password', label: t`Password` },
            { value: 'code', label: t`Code` },
          ]}
        />
      )}
      {kind === 'password' ? (
        <PasswordInput
          key="password"
          label={t`Your password`}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t`Show the password` }}
          {...input}
        />
      ) : (
        <TextInput
          key="code"
          label={t`Code from your authenticator app`}
          description={t`Or one of your recovery codes`}
          autoComplete="one-time-code"
          {...input}
        />
      )}
    </Stack>
  );
}
