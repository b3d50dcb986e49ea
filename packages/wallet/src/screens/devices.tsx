// Phones and browsers that can log in without a code.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { remove } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import { forgetDevice } from '../data/session.ts';
import type { Device } from '../data/types.ts';
import { time } from '../format.ts';
import { Fault, Loaded } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';
import { useFrame } from './frame.ts';

export function Devices() {
  const load = useLoad<{ devices: Device[]; device_id: string }>('/me/devices');
  return (
    <Screen title={t`Phones`}>
      <p>{t`These phones open your wallet with your PIN alone. Remove one that is lost.`}</p>
      <Loaded load={load}>
        {({ devices, device_id }) =>
          // This phone comes last: who looks for another must not remove it by mistake.
          [...devices.filter(({ id }) => id !== device_id), ...devices.filter(({ id }) => id === device_id)].map(
            (each) => <DevicePart key={each.id} device={each} isThis={each.id === device_id} reload={load.reload} />,
          )
        }
      </Loaded>
    </Screen>
  );
}

function DevicePart({ device, isThis, reload }: { device: Device; isThis: boolean; reload(): void }) {
  const { leave } = useFrame();
  const { isBusy, error, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const end = () =>
    run(async () => {
      await remove(`/me/devices/${device.id}`);
      if (!isThis) return reload();
      forgetDevice();
      leave();
    });
  return (
    <div class="card">
      <h2>{device.name}</h2>
      <p>
        {isThis ? t`This phone` : t`First login ${time(device.created_at)}, last used ${time(device.last_used_at)}`}
      </p>
      <Fault error={error} />
      {isAsking && isThis && <p>{t`This phone forgets the wallet. To log in again you need a code.`}</p>}
      {isAsking ? (
        <button type="button" aria-disabled={isBusy} onClick={end}>{t`Remove ${device.name}`}</button>
      ) : (
        <button type="button" class="second" onClick={() => setAsking(true)}>{t`Remove`}</button>
      )}
    </div>
  );
}
