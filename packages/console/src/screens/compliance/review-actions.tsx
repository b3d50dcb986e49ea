// What a reviewer does with an alert: take it into review, keep notes, dismiss it, or resolve it.
import type { Alert } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useUser } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import type { Call } from '../../components/use-call.ts';
import { isClosed } from './words.ts';

type Step = 'assign' | 'release' | 'review' | 'note' | 'dismiss' | 'resolve';

export function ReviewActions({ alert }: { alert: Alert }) {
  const [step, setStep] = useState<Step | null>(null);
  const isOwn = useUser().id === alert.assigned_to;
  if (isClosed(alert) && step === null) return null;
  const close = () => setStep(null);
  return (
    <>
      <Button variant="default" onClick={() => setStep(isOwn ? 'release' : 'assign')}>
        {isOwn ? <Trans>Release</Trans> : <Trans>Assign to me</Trans>}
      </Button>
      {alert.status === 'open' && (
        <Button variant="default" onClick={() => setStep('review')}>
          <Trans>Start review</Trans>
        </Button>
      )}
      <Button variant="default" onClick={() => setStep('note')}>
        {alert.notes ? <Trans>Edit notes</Trans> : <Trans>Add notes</Trans>}
      </Button>
      <Button variant="default" onClick={() => setStep('dismiss')}>
        <Trans>Dismiss</Trans>
      </Button>
      <Button onClick={() => setStep('resolve')}>
        <Trans>Resolve</Trans>
      </Button>
      {(step === 'assign' || step === 'release') && <Assign alert={alert} step={step} onClose={close} />}
      {step === 'review' && <StartReview alert={alert} onClose={close} />}
      {step === 'note' && <EditNotes alert={alert} onClose={close} />}
      {step === 'dismiss' && <Dismiss alert={alert} onClose={close} />}
      {step === 'resolve' && <Resolve alert={alert} onClose={close} />}
    </>
  );
}

interface DialogProps {
  alert: Alert;
  onClose: () => void;
}

function Assign({ alert, step, onClose }: DialogProps & { step: 'assign' | 'release' }) {
  const { t } = useLingui();
  const isTaken = step === 'assign';
  const other = alert.assignee_name;
  return (
    <Action
      onClose={onClose}
      title={isTaken ? t`Assign the alert to me` : t`Release the alert`}
      description={
        !isTaken ? t`It has no reviewer afterwards.` : other ? t`It is assigned to ${other} now.` : t`You review it.`
      }
      submitLabel={isTaken ? t`Assign to me` : t`Release`}
      call={(client) => client.alerts[step](alert.id)}
      doneMessage={isTaken ? t`The alert is yours.` : t`The alert has no reviewer.`}
      changes={['alerts']}
    />
  );
}

function StartReview({ alert, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <WithText
      onClose={onClose}
      title={t`Start the review`}
      description={t`Tells others that somebody works on it.`}
      label={t`Notes`}
      initial={alert.notes ?? ''}
      isOptional
      submitLabel={t`Start review`}
      doneMessage={t`The alert is in review.`}
      call={(text) => (client) =>
        client.alerts.update(alert.id, { status: 'in_review', ...(text ? { notes: text } : {}) })
      }
    />
  );
}

function EditNotes({ alert, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <WithText
      onClose={onClose}
      title={t`Notes`}
      description={t`The text replaces the existing notes. The history keeps them.`}
      label={t`Notes`}
      initial={alert.notes ?? ''}
      submitLabel={t`Save`}
      doneMessage={t`The notes were saved.`}
      call={(text) => (client) => client.alerts.update(alert.id, { notes: text })}
    />
  );
}

function Dismiss({ alert, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <WithText
      onClose={onClose}
      title={t`Dismiss the alert`}
      description={t`For an alert without substance. It is final.`}
      label={t`Why there is nothing to it`}
      submitLabel={t`Dismiss`}
      doneMessage={t`The alert was dismissed.`}
      call={(text) => (client) => client.alerts.update(alert.id, { status: 'dismissed', resolution: text })}
    />
  );
}

function Resolve({ alert, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <WithText
      onClose={onClose}
      title={t`Resolve the alert`}
      description={t`It is final, and the audit log keeps it.`}
      label={t`What was found and done`}
      submitLabel={t`Resolve`}
      doneMessage={t`The alert was resolved.`}
      call={(text) => (client) => client.alerts.resolve(alert.id, { resolution: text })}
    />
  );
}

interface WithTextProps {
  onClose: () => void;
  title: string;
  description: ReactNode;
  label: string;
  initial?: string;
  isOptional?: boolean;
  submitLabel: string;
  doneMessage: string;
  call: (text: string) => Call<unknown>;
}

function WithText({ label, initial = '', isOptional = false, call, ...props }: WithTextProps) {
  const [text, setText] = useState(initial);
  return (
    <Action {...props} opened isReady={isOptional || text.trim() !== ''} call={call(text.trim())} changes={['alerts']}>
      <Textarea
        label={label}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        maxLength={2000}
        autosize
        minRows={3}
        required={!isOptional}
        data-autofocus
      />
    </Action>
  );
}
