// Shows the secrets of a new or rotated key once.
import { useLingui } from '@lingui/react/macro';
import { showOnce } from '../../components/shown-once.tsx';

interface IssuedKey {
  api_key: { id: string };
  key: string | null;
  secret: string;
}

/** A reply that waits for an approval has no secrets: the requester collects them in Approvals. */
export function useShowKey() {
  const { t } = useLingui();
  return (reply: object) => {
    if (!('secret' in reply)) return;
    const { api_key, key, secret } = reply as IssuedKey;
    const values: [string, string][] = [
      [t`Key id`, api_key.id],
      ...(key ? [[t`Bearer value`, key] as [string, string]] : []),
      [t`Signing secret`, secret],
    ];
    showOnce({
      title: t`The key's secrets`,
      values,
      note: t`Put them into the secret store of the system that uses the key.`,
    });
  };
}
