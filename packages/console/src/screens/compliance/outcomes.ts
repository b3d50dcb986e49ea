// How the review of an alert ended, in words.
import type { Alert } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';

export type Outcome = NonNullable<Alert['outcome']>;

export function useOutcomeNames(): Record<Outcome, string> {
  const { t } = useLingui();
  return {
    false_positive: t`False positive`,
    customer_explained: t`The customer explained it`,
    confirmed_reported: t`Confirmed and reported`,
    confirmed_blocked: t`Confirmed and blocked`,
  };
}
