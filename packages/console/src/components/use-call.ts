// One change at the service: what a form of it needs, and how it is sent.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { needsApproval } from '../api/approval.ts';
import { readAgain } from '../api/queries.ts';
import { notify } from './notices.tsx';
import { useSubmit } from './use-submit.ts';

export type Call<Reply> = (client: Kissi) => PromiseLike<Reply>;

export interface ActionProps<Reply> {
  onClose: () => void;
  title: string;
  /** What will happen, in a sentence. */
  description?: ReactNode;
  /** The form's fields. */
  children?: ReactNode;
  submitLabel: string;
  isDangerous?: boolean;
  /** False while a field is missing or wrong. */
  isReady?: boolean;
  call: Call<Reply>;
  /** The message after the change; none if the next step of a dialog follows. */
  doneMessage?: string;
  /** The fields contain a password or code, which does not belong into the clipboard. */
  isSecret?: boolean;
  /** `onDone` shows the next step. */
  staysOpen?: boolean;
  /** `onDone` shows what is shown once only. It does not wait for a slow network. */
  showsSecret?: boolean;
  /** The resources that it changes, read again afterwards; all if absent. */
  changes?: string[];
  onDone?: (reply: Reply) => void;
}

/** Runs the call once at a time. A reply with status 202 waits for the approval of a second user. */
export function useCall<Reply>(props: ActionProps<Reply>) {
  const { call, doneMessage, changes, onDone, onClose, staysOpen = false, showsSecret = false } = props;
  const { t } = useLingui();
  const { submit, ...state } = useSubmit(call, async (reply) => {
    if (needsApproval(reply)) notify(t`Sent for approval. A second user decides in Approvals.`);
    else if (doneMessage) notify(doneMessage);
    const finish = () => {
      if (!staysOpen) onClose();
      onDone?.(reply);
    };
    if (showsSecret) finish();
    await readAgain(...(changes ? [...changes, 'approvals'] : []));
    if (!showsSecret) finish();
  });
  return { run: submit, ...state };
}
