// Login on a known phone: the PIN alone.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { forgetDevice, unlock } from '../data/session.ts';
import { Languages } from '../ui/languages.tsx';
import { Fault } from '../ui/parts.tsx';
import { PinField, usePin } from '../ui/pin.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';
import { useFrame } from './frame.ts';

export function Unlock({ onUnknown }: { onUnknown(): void }) {
  const { enter } = useFrame();
  const { isBusy, error, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const pin = usePin();
  const open = () => {
    const digits = pin.take();
    if (digits === null) return;
    run(async () => ((await unlock(digits)) ? enter() : onUnknown()));
  };
  const forget = () => {
    forgetDevice();
    onUnknown();
  };
  return (
    <Screen isForm hasBrand title={t`Welcome back`} action={t`Open`} onAction={open} isBusy={isBusy} back={null}>
      <div class="first">
        <Languages />
      </div>
      <PinField pin={pin} />
      <Fault error={error} />
      {isAsking ? (
        <div class="card">
          <p>{t`This phone forgets the wallet. To log in again you need a code.`}</p>
          <button type="button" class="second" onClick={forget}>{t`Use another number`}</button>
        </div>
      ) : (
        <button type="button" class="plain" onClick={() => setAsking(true)}>{t`Not your wallet?`}</button>
      )}
    </Screen>
  );
}
