// The agent's own PIN, which confirms cash-ins and transfers of float.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { notify } from '../../components/notices.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { isPin, PinInput } from '../../components/own/pin-input.tsx';
import { RefusalNotice } from '../../components/states.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { HOME, useAgentId } from './own-agent.ts';

export function ChangePin() {
  const { t } = useLingui();
  const id = useAgentId();
  const navigate = useNavigate();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const isReady = isPin(current) && isPin(next) && next === repeated;
  const change = (client: Kissi) => client.agents.changePin(id, { current_pin: current, new_pin: next });
  const done = () => {
    notify(t`Your PIN is changed.`);
    void navigate({ to: HOME });
  };
  const { submit, error, isRunning } = useSubmit(change, done, () => setCurrent(''));
  return (
    <OwnPage title={t`Change PIN`} home={HOME} narrow>
      <form onSubmit={submit}>
        <Stack gap="md">
          <PinInput label={t`Current PIN`} value={current} onChange={setCurrent} />
          <PinInput label={t`New PIN`} value={next} onChange={setNext} />
          <PinInput
            label={t`New PIN again`}
            value={repeated}
            onChange={setRepeated}
            error={isPin(repeated) && repeated !== next ? t`The two new PINs differ.` : null}
          />
          <RefusalNotice error={error} />
          <Button type="submit" size="lg" disabled={!isReady} loading={isRunning}>{t`Change PIN`}</Button>
        </Stack>
      </form>
    </OwnPage>
  );
}
