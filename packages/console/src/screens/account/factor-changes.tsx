// Dialogs that remove a second factor or replace the recovery codes.
import { useLingui } from '@lingui/react/macro';
import { Action } from '../../components/action.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import { ProofFields, useProof } from './proof.tsx';

export function RemoveApp({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const { proof, isReady, ...fields } = useProof();
  return (
    <Action
      onClose={onClose}
      title={t`Remove the authenticator app`}
      description={t`Codes from the app will be refused.`}
      submitLabel={t`Remove`}
      isDangerous
      isSecret
      isReady={isReady}
      call={(client) => client.secondFactor.removeTotp(proof)}
      doneMessage={t`The authenticator app was removed.`}
      changes={['second-factor']}
    >
      <ProofFields {...fields} canUseCode />
    </Action>
  );
}

export function RemovePasskey({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { t } = useLingui();
  const { proof, isReady, ...fields } = useProof();
  return (
    <Action
      onClose={onClose}
      title={t`Remove the passkey ${name}`}
      description={t`It will be refused. Delete it on the device as well.`}
      submitLabel={t`Remove`}
      isDangerous
      isSecret
      isReady={isReady}
      call={(client) => client.secondFactor.removePasskey(id, proof)}
      doneMessage={t`The passkey was removed.`}
      changes={['second-factor']}
    >
      <ProofFields {...fields} canUseCode />
    </Action>
  );
}

export function ReplaceCodes({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const { proof, isReady, ...fields } = useProof();
  return (
    <Action
      onClose={onClose}
      title={t`Replace the recovery codes`}
      description={t`Your current codes will no longer work.`}
      submitLabel={t`Replace`}
      isSecret
      isReady={isReady}
      call={(client) => client.secondFactor.replaceRecoveryCodes(proof)}
      doneMessage={t`The recovery codes were replaced.`}
      changes={['second-factor']}
      showsSecret
      onDone={({ recovery_codes }) => showOnce({ title: t`Recovery codes`, codes: recovery_codes })}
    >
      <ProofFields {...fields} canUseCode />
    </Action>
  );
}
