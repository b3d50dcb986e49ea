// Gives a webhook endpoint a new secret, or deletes it.
import type { WebhookEndpoint } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { OwnAction } from '../../../components/own/own-action.tsx';
import { CHANGES, loadSecrets, useShowSecret } from './secret.ts';

interface ChangeProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

export function RotateSecret({ endpoint: { id }, onClose }: ChangeProps) {
  const { t } = useLingui();
  const showSecret = useShowSecret();
  return (
    <OwnAction
      onClose={onClose}
      title={t`New secret`}
      description={t`Events are signed with both secrets for a day, so that your system can change over.`}
      submitLabel={t`Rotate the secret`}
      call={async (client) => {
        await loadSecrets();
        return client.webhookEndpoints.rotateSecret(id, {});
      }}
      doneMessage={t`The secret was rotated.`}
      changes={CHANGES}
      showsSecret
      onDone={({ secret }) => showSecret(secret)}
    />
  );
}

export function DeleteEndpoint({ endpoint: { id, url }, onClose }: ChangeProps) {
  const { t } = useLingui();
  return (
    <OwnAction
      onClose={onClose}
      title={t`Delete the endpoint`}
      description={t`${url} gets no more events, not even those that wait. This cannot be undone.`}
      submitLabel={t`Delete`}
      isDangerous
      call={(client) => client.webhookEndpoints.delete(id)}
      doneMessage={t`The endpoint was deleted.`}
      changes={CHANGES}
    />
  );
}
