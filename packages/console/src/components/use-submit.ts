// A form that sends one call at a time, and keeps the refusal of the last one.
import type { Kissi } from '@kissi/client';
import { type FormEvent, useState } from 'react';
import { kissi } from '../api/session.ts';
import { sentValues, useUnsavedGuard } from './unsaved.ts';

/** `onRefused`: after a refusal, such as to clear a PIN. */
export function useSubmit<Reply>(
  call: (client: Kissi) => PromiseLike<Reply>,
  onDone: (reply: Reply) => unknown,
  onRefused?: (refusal: unknown) => void,
) {
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  useUnsavedGuard();
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isRunning) return;
    const noteSaved = sentValues(event?.currentTarget ?? null);
    setRunning(true);
    setError(null);
    try {
      const reply = await call(kissi);
      noteSaved();
      await onDone(reply);
    } catch (refusal) {
      setError(refusal);
      onRefused?.(refusal);
    } finally {
      setRunning(false);
    }
  };
  return { submit, error, isRunning };
}
