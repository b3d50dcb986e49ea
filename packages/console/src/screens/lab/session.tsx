// A USSD page on the phone, with the field for the answer. A PIN is hidden, and leaves the field with the answer.
import type { LabPhonePage } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import classes from './lab.module.css';

interface SessionProps {
  page: LabPhonePage;
  isRunning: boolean;
  onAnswer: (input: string) => void;
  onHangUp: () => void;
}

export function Session({ page, isRunning, onAnswer, onHangUp }: SessionProps) {
  const { t } = useLingui();
  const [input, setInput] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    (page.ends ? close : field).current?.focus();
  }, [page]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setInput('');
    onAnswer(input);
  };
  const common = { ref: field, size: 'md', autoComplete: 'off', value: input } as const;
  return (
    <form className={classes.session} onSubmit={submit}>
      <p className={classes.ussd} role="status">
        {page.text}
      </p>
      {!page.ends &&
        (page.asks_pin ? (
          <PasswordInput
            {...common}
            label={t`PIN`}
            inputMode="numeric"
            maxLength={4}
            visibilityToggleButtonProps={{ style: { display: 'none' } }}
            data-1p-ignore
            onChange={({ currentTarget }) => setInput(currentTarget.value.replaceAll(/\D/g, ''))}
          />
        ) : (
          <TextInput
            {...common}
            label={t`Answer`}
            maxLength={100}
            onChange={({ currentTarget }) => setInput(currentTarget.value)}
          />
        ))}
      <div className={classes.actions}>
        <Button ref={close} variant="default" size="md" onClick={onHangUp}>
          {page.ends ? <Trans>Close</Trans> : <Trans>Hang up</Trans>}
        </Button>
        {!page.ends && (
          <Button type="submit" size="md" loading={isRunning} disabled={input === ''}>
            <Trans>Send</Trans>
          </Button>
        )}
      </div>
    </form>
  );
}
