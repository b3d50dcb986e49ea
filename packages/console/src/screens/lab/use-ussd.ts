// A USSD session of a number: one page at a time. What was typed is sent and kept nowhere, as it may be a PIN.
import type { LabPhonePage } from '@kissi/client';
import { playLabUssd } from '@kissi/client/operations';
import { useRef, useState } from 'react';
import { kissi } from '../../api/session.ts';

export function useUssd(phoneNumber: string) {
  const [page, setPage] = useState<LabPhonePage | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const step = useRef({ session: '', sequence: 0 });

  /** After a failure the same step is sent again: the service answers it once. */
  async function send(input: string, { session, sequence } = step.current): Promise<void> {
    if (isRunning) return;
    setRunning(true);
    setError(null);
    try {
      const body = { phone_number: phoneNumber, session_id: session, sequence, input };
      const next = await playLabUssd({ client: kissi.client, body });
      step.current = { session, sequence: sequence + 1 };
      setPage(next);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setRunning(false);
    }
  }

  return {
    page,
    error,
    isRunning,
    dial: (typed: string) => send(typed, { session: crypto.randomUUID(), sequence: 0 }),
    answer: (input: string) => send(input),
    hangUp() {
      setPage(null);
      setError(null);
    },
  };
}
