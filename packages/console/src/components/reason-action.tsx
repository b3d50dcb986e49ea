// A dialog for one change with a text, such as its reason, which is kept in the audit log.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Action } from './action.tsx';
import type { ActionProps } from './use-call.ts';

export interface ReasonActionProps<Reply> extends Omit<ActionProps<Reply>, 'call'> {
  /** Required by default. */
  reason?: 'required' | 'optional' | 'none';
  /** Instead of "Reason". */
  label?: string;
  initial?: string;
  maxLength?: number;
  call: (client: Kissi, reason: string) => PromiseLike<Reply>;
}

export function ReasonAction<Reply>(props: ReasonActionProps<Reply>) {
  const { reason: need = 'required', label, initial = '', maxLength = 500, isReady = true } = props;
  const { call, children, ...others } = props;
  const { t } = useLingui();
  const [text, setText] = useState(initial);
  return (
    <Action
      {...others}
      isReady={isReady && (need !== 'required' || text.trim() !== '')}
      call={(client) => call(client, text.trim())}
    >
      {children}
      {need !== 'none' && (
        <Textarea
          label={label ?? (need === 'optional' ? t`Reason (optional)` : t`Reason`)}
          {...(label ? {} : { description: t`Kept in the audit log.` })}
          required={need === 'required'}
          maxLength={maxLength}
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
    </Action>
  );
}
