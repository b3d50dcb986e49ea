// A change that needs a reason, which is kept in the audit log.
import { useLingui } from '@lingui/react/macro';
import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Action } from '../../components/action.tsx';
import type { Call } from '../../components/use-call.ts';

interface ReasonDialogProps {
  title: string;
  description: ReactNode;
  submitLabel: string;
  doneMessage: string;
  call: (reason: string) => Call<unknown>;
  onClose: () => void;
  isOptional?: boolean;
  isDangerous?: boolean;
  changes?: string[];
  /** More fields of the change. */
  children?: ReactNode;
}

export function ReasonDialog({ call, isOptional = false, children, ...props }: ReasonDialogProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const text = reason.trim();
  return (
    <Action {...props} opened isReady={isOptional || text !== ''} call={call(text)}>
      {children}
      <Textarea
        label={isOptional ? t`Reason (optional)` : t`Reason`}
        description={t`Kept in the audit log.`}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        required={!isOptional}
        data-autofocus
      />
    </Action>
  );
}
