// The language, and which messages the customer gets.
import { t } from '@lingui/core/macro';
import { put } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import type { Notifications } from '../data/types.ts';
import { Languages } from '../ui/languages.tsx';
import { Fault, Loaded, Switch } from '../ui/parts.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';

export function Settings() {
  const load = useLoad<{ notifications: Notifications; available_channels: Channel[] }>('/me/notifications');
  const { isBusy, error, run } = useAction();
  const change = (changes: Partial<Notifications>) =>
    run(async () => {
      await put('/me/notifications', changes);
      load.reload();
    });
  return (
    <Screen title={t`Messages and language`}>
      <Languages onChoice={(language) => change({ language })} />
      <Loaded load={load}>
        {({ notifications, available_channels }) => (
          <Switches {...{ notifications, isBusy }} offered={available_channels} onChange={change} />
        )}
      </Loaded>
      <Fault error={error} />
    </Screen>
  );
}

type Channel = Notifications['channels'][number];

interface SwitchesProps {
  notifications: Notifications;
  /** Channels of the operator. */
  offered: Channel[];
  isBusy: boolean;
  onChange(changes: Partial<Notifications>): void;
}

function Switches({ notifications, offered, isBusy, onChange }: SwitchesProps) {
  const { payments, show_balance, channels } = notifications;
  const chosen = (channel: Channel, isOn: boolean) =>
    isOn ? [...channels, channel] : channels.filter((each) => each !== channel);
  return (
    <div class="card">
      <Switch
        {...{ isBusy, isOn: payments, name: t`A message for each payment` }}
        text={t`Messages about security always come.`}
        onChange={(isOn) => onChange({ payments: isOn })}
      />
      <Switch
        {...{ isBusy, isOn: show_balance, name: t`With the balance` }}
        onChange={(isOn) => onChange({ show_balance: isOn })}
      />
      {offered.length > 1 &&
        offered.map((each) => (
          <Switch
            key={each}
            {...{ isBusy, isOn: channels.includes(each), name: channelName(each) }}
            onChange={(isOn) => onChange({ channels: chosen(each, isOn) })}
          />
        ))}
    </div>
  );
}

function channelName(channel: Channel): string {
  return channel === 'sms' ? t`By SMS` : t`By chat`;
}
