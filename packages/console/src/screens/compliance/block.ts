// Blocks the customer that an alert is about, from the alert.
import type { Alert } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import type { Offered } from '../../components/choices.tsx';
import { alertTitle } from './words.ts';

export function useBlock(alert: Alert): Offered {
  const { t } = useLingui();
  const id = alert.subscriber_id ?? '';
  const mayBlock = useCan()('subscribers:block') && id !== '';
  const { data } = useRead(['subscribers', id], (options) => kissi.subscribers.get(id, options), { enabled: mayBlock });
  if (!mayBlock || !data || data.subscriber.status === 'BLOCKED') return false;
  const name = alert.subject_name ?? id;
  return {
    label: t`Block the customer`,
    icon: 'lock',
    look: 'danger',
    action: {
      isDangerous: true,
      title: t`Block ${name}`,
      description: t`The wallet and its cards neither pay nor receive until a compliance user unblocks it.`,
      initial: `${alertTitle(alert)} (${alert.id})`,
      submitLabel: t`Block`,
      doneMessage: t`The customer is blocked.`,
      call: (client, reason) => client.subscribers.block(id, { reason }),
      changes: ['subscribers', 'alerts', 'audit'],
    },
  };
}
