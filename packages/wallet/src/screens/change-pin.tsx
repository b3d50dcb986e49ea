// Changes the PIN.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import type { Me } from '../data/types.ts';
import { time } from '../format.ts';
import { USSD } from '../operator.ts';
import { goHome } from '../router.ts';
import { Big, Fault } from '../ui/parts.tsx';
import { PinField, usePin } from '../ui/pin.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';

export function ChangePin() {
  const current = usePin();
  const next = usePin();
  const again = usePin();
  const { isBusy, error, run } = useAction();
  const [isDifferent, setDifferent] = useState(false);
  const [isDone, setDone] = useState(false);
  const newUntil = useLoad<Me>('/me').data?.new_device?.restricted_until;
  const change = () => {
    const [current_pin, new_pin, repeated] = [current.take(), next.take(), again.take()];
    if (current_pin === null || new_pin === null || repeated === null) return;
    setDifferent(new_pin !== repeated);
    if (new_pin !== repeated) return;
    run(async () => {
      await post('/me/change-pin', { current_pin, new_pin });
      setDone(true);
    });
  };
  if (isDone) {
    return (
      <Screen title={t`Change the PIN`} action={t`Done`} onAction={() => goHome()} back={null}>
        <Big icon="done" title={t`The PIN is changed`}>
          <p>{t`Your other phones need a code to log in again.`}</p>
        </Big>
      </Screen>
    );
  }
  if (newUntil) {
    return (
      <Screen title={t`Change the PIN`}>
        <p class="note">
          {t`This phone is new: until ${time(newUntil)} it cannot change the PIN.`}
          {USSD && ` ${t`To change it now, dial ${USSD}.`}`}
        </p>
      </Screen>
    );
  }
  return (
    <Screen isForm title={t`Change the PIN`} action={t`Change the PIN`} onAction={change} isBusy={isBusy}>
      <PinField pin={current} label={t`PIN until now`} />
      <PinField pin={next} label={t`New PIN`} focus={false} />
      <PinField pin={again} label={t`New PIN, once more`} focus={false} />
      {isDifferent && <p class="note fault" role="alert">{t`The two new PINs are different.`}</p>}
      <Fault error={error} />
    </Screen>
  );
}
