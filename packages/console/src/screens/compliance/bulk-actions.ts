// What a reviewer does with several alerts at once.
import type { Kissi, ListedAlert } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan, useUser } from '../../api/user.ts';
import type { BulkAction } from '../../components/list/definition.ts';
import { useOutcomeNames } from './outcomes.ts';
import { alertInWords, alertTitle, isClosed, isHidden } from './words.ts';

export function useBulkActions(): BulkAction<ListedAlert>[] {
  const { t } = useLingui();
  const { id: ownId } = useUser();
  const outcomes = useOutcomeNames();
  if (!useCan()('compliance:write')) return [];
  const isOpen = (alert: ListedAlert) => !isHidden(alert) && !isClosed(alert);
  const nameOf = (alert: ListedAlert) => `${alert.subject_name ?? alertTitle(alert)} · ${alertInWords(alert)}`;
  return [
    {
      label: t`Assign to me`,
      description: t`You review them.`,
      isFor: (alert) => isOpen(alert) && alert.assigned_to !== ownId,
      nameOf,
      call: (client, { id }) => client.alerts.assign(id),
    },
    ...(['confirmed_reported', 'false_positive', 'customer_explained'] as const).map((outcome) => ({
      label: outcomes[outcome],
      description: t`It is final, and the audit log keeps it.`,
      isFor: isOpen,
      text: { label: t`What was found and done`, maxLength: 2000 },
      nameOf,
      call: (client: Kissi, { id }: ListedAlert, resolution: string) =>
        outcome === 'confirmed_reported'
          ? client.alerts.resolve(id, { resolution, outcome })
          : client.alerts.update(id, { status: 'dismissed', resolution, outcome }),
    })),
  ];
}
