// The dialler of a phone on the screen: the code to dial, with keys and shortcuts.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { dialString, typedAfterCode } from './dial.ts';
import classes from './lab.module.css';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

interface DiallerProps {
  serviceCode: string;
  isRunning: boolean;
  onDial: (typed: string) => void;
}

export function Dialler({ serviceCode, isRunning, onDial }: DiallerProps) {
  const { t } = useLingui();
  const [dialled, setDialled] = useState(serviceCode);
  const [isForeign, setForeign] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const change = (text: string) => {
    setDialled(text);
    setForeign(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = typedAfterCode(dialled, serviceCode);
    if (typed === null) setForeign(true);
    else onDial(typed);
  };
  /** The caret stands where the code of a request belongs. */
  const payCode = () => {
    const text = dialString(serviceCode, '0*');
    change(text);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(text.length - 1, text.length - 1);
    });
  };
  return (
    <form className={classes.dialler} onSubmit={submit}>
      <TextInput
        ref={field}
        label={t`Number to dial`}
        size="md"
        type="tel"
        autoComplete="off"
        maxLength={200}
        error={isForeign && t`Only ${serviceCode} is answered here.`}
        value={dialled}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <div className={classes.shortcuts}>
        <Shortcut title={t`Menu`} onClick={() => change(serviceCode)} />
        <Shortcut title={t`Balance`} onClick={() => change(dialString(serviceCode, '4*1'))} />
        <Shortcut title={t`Pay a code`} onClick={payCode} />
      </div>
      <div className={classes.keys}>
        {KEYS.map((key) => (
          <UnstyledButton key={key} className={classes.key} onClick={() => change(dialled + key)}>
            {key}
          </UnstyledButton>
        ))}
      </div>
      <div className={classes.actions}>
        <Button variant="default" size="md" disabled={dialled === ''} onClick={() => change(dialled.slice(0, -1))}>
          <Trans>Delete</Trans>
        </Button>
        <Button type="submit" size="md" loading={isRunning} disabled={dialled === ''}>
          <Trans>Call</Trans>
        </Button>
      </div>
    </form>
  );
}

function Shortcut({ title, onClick }: { title: string; onClick: () => void }) {
  return (
    <Button variant="light" size="compact-md" onClick={onClick}>
      {title}
    </Button>
  );
}
