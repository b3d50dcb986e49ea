// Ends the review of an alert: resolved or dismissed, with its outcome as a code and what was found in words.
import type { Alert } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { ReasonAction } from '../../components/reason-action.tsx';
import { type Outcome, useOutcomeNames } from './outcomes.ts';

interface CloseAlertProps {
  alert: Alert;
  status: 'resolved' | 'dismissed';
  onClose: () => void;
}

/** A dismissed alert was unfounded. */
const UNFOUNDED: Outcome[] = ['false_positive', 'customer_explained'];

export function CloseAlert({ alert: { id }, status, onClose }: CloseAlertProps) {
  const { t } = useLingui();
  const names = useOutcomeNames();
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const offered = status === 'dismissed' ? UNFOUNDED : (Object.keys(names) as Outcome[]);
  const texts = {
    resolved: {
      title: t`Resolve the alert`,
      description: t`It is final, and the audit log keeps it.`,
      label: t`What was found and done`,
      submitLabel: t`Resolve`,
      doneMessage: t`The alert was resolved.`,
    },
    dismissed: {
      title: t`Dismiss the alert`,
      description: t`For an unfounded alert. This is final.`,
      label: t`Why it is unfounded`,
      submitLabel: t`Dismiss`,
      doneMessage: t`The alert was dismissed.`,
    },
  }[status];
  return (
    <ReasonAction<unknown>
      {...texts}
      onClose={onClose}
      maxLength={2_000}
      isReady={outcome !== ''}
      changes={['alerts']}
      call={({ alerts }, resolution) => {
        const ending = { resolution, ...(outcome ? { outcome } : {}) };
        return status === 'resolved' ? alerts.resolve(id, ending) : alerts.update(id, { status, ...ending });
      }}
    >
      <ChoiceInput<Outcome | ''>
        label={t`Outcome`}
        required
        value={outcome}
        onChange={setOutcome}
        data={[{ value: '', label: t`Choose an outcome` }, ...offered.map((value) => ({ value, label: names[value] }))]}
      />
    </ReasonAction>
  );
}
