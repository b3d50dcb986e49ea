// The field for a PIN. Its digits are nowhere else: not in a state, not in storage, not in the browser's form history.
import { t } from '@lingui/core/macro';
import type { RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** Browsers offer to keep what is typed into a password field. Nearly all can hide the digits of another field. */
const TYPE = globalThis.CSS?.supports('-webkit-text-security', 'disc') ? 'text' : 'password';

export interface Pin {
  input: RefObject<HTMLInputElement | null>;
  error: string | null;
  /** Empties the field. Null if it has no four digits. */
  take(): string | null;
}

export function usePin(): Pin {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  return {
    input,
    error,
    take() {
      const pin = input.current?.value ?? '';
      clear(input);
      const isPin = /^\d{4}$/.test(pin);
      setError(isPin ? null : t`A PIN has four digits.`);
      if (!isPin) input.current?.focus();
      return isPin ? pin : null;
    },
  };
}

function clear(input: RefObject<HTMLInputElement | null>): void {
  if (input.current) input.current.value = '';
}

export function PinField({
  pin: { input, error },
  label = t`Your PIN`,
  focus = true,
}: {
  pin: Pin;
  label?: string;
  focus?: boolean;
}) {
  const id = useId();
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === 'hidden') clear(input);
    };
    const leave = () => clear(input);
    document.addEventListener('visibilitychange', hide);
    addEventListener('pagehide', leave);
    if (focus) input.current?.focus();
    return () => {
      document.removeEventListener('visibilitychange', hide);
      removeEventListener('pagehide', leave);
      clear(input);
    };
  }, []);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        class="pin"
        type={TYPE as 'text'}
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={4}
        autocomplete="off"
        autocorrect="off"
        spellcheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-more`}
      />
      <p id={`${id}-more`} class="fault" role={error ? 'alert' : undefined}>
        {error}
      </p>
    </div>
  );
}
