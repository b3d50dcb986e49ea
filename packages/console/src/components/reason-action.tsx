// A dialog for one change with its reason, which is kept in the audit log.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Action } from './action.tsx';
import type { ActionProps } from './use-call.ts';

interface ReasonActionProps<Reply> extends Omit<ActionProps<Reply>, 'call' | 'children' | 'isReady'> {
  /** Required by default. */
  reason?: 'required' | 'optional' | 'none';
  call: (client: Kissi, reason: string) => PromiseLike<Reply>;
}

export function ReasonAction<Reply>({ reason: need = 'required', call, ...props }: ReasonActionProps<Reply>) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const { opened = true } = props;
  useEffect(() => {
    if (opened) setReason('');
  }, [opened]);
  return (
    <Action
      {...props}
      isReady={need !== 'required' || reason.trim() !== ''}
      call={(client) => call(client, reason.trim())}
    >
      {need !== 'none' && (
        <Textarea
          label={t`Reason`}
          required={need === 'required'}
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      )}
    </Action>
  );
}
