// The menu choice that suspends or reactivates an agent or merchant.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { Choice } from './choices.tsx';

interface StatusChange {
  name: string;
  isActive: boolean;
  /** What the agent or merchant cannot do while suspended. */
  note: string;
  doneMessages: [suspended: string, reactivated: string];
  changes: string[];
  suspend: (client: Kissi, reason: string) => PromiseLike<unknown>;
  reactivate: (client: Kissi) => PromiseLike<unknown>;
}

export function useStatusChange(change: StatusChange): Choice {
  const { t } = useLingui();
  const { name, isActive, note, doneMessages, changes, suspend, reactivate } = change;
  const suspension = {
    title: t`Suspend ${name}`,
    description: note,
    submitLabel: t`Suspend`,
    isDangerous: true,
    call: suspend,
    doneMessage: doneMessages[0],
  };
  const reactivation = {
    reason: 'none' as const,
    title: t`Reactivate ${name}`,
    description: t`It can send and receive payments again.`,
    submitLabel: t`Reactivate`,
    call: reactivate,
    doneMessage: doneMessages[1],
  };
  const props = isActive ? suspension : reactivation;
  return { label: props.submitLabel, action: { ...props, changes } };
}
