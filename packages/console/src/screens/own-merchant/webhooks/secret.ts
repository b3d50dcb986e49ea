// Shows the secret of a webhook endpoint, once.
import { useLingui } from '@lingui/react/macro';

/** The cached queries that a change of an endpoint makes stale. */
export const CHANGES = ['own-webhooks'];

export const loadSecrets = () => import('../../../components/shown-once.tsx');

export function useShowSecret(): (secret: string) => Promise<void> {
  const { t } = useLingui();
  return async (secret) => {
    const { showOnce } = await loadSecrets();
    showOnce({
      title: t`The endpoint's secret`,
      values: [[t`Signing secret`, secret]],
      note: t`Your system checks with it that an event is from here.`,
    });
  };
}
