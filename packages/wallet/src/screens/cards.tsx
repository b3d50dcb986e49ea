// The customer's cards: block one at once, unblock it with the PIN.
import { t } from '@lingui/core/macro';
import { useState } from 'preact/hooks';
import { post } from '../data/api.ts';
import { useLoad } from '../data/load.ts';
import type { Card } from '../data/types.ts';
import { withSupport } from '../errors.ts';
import { Fault, Loaded } from '../ui/parts.tsx';
import { PinField, usePin } from '../ui/pin.tsx';
import { Screen } from '../ui/screen.tsx';
import { useAction } from '../ui/use-action.ts';

const shortSerial = (serial: string) => `•••• ${serial.slice(-4)}`;

export function Cards() {
  const load = useLoad<{ cards: Card[] }>('/me/cards?limit=50');
  const [unblocking, setUnblocking] = useState<Card | null>(null);
  const done = () => {
    setUnblocking(null);
    load.reload();
  };
  if (unblocking) return <Unblock card={unblocking} onDone={done} onBack={() => setUnblocking(null)} />;
  return (
    <Screen title={t`Cards`}>
      <Loaded load={load}>
        {({ cards }) =>
          cards.length === 0 ? (
            <p class="card quiet">{t`You have no cards. An agent gives you one.`}</p>
          ) : (
            cards.map((card) => (
              <CardPart key={card.serial} card={card} reload={load.reload} onUnblock={() => setUnblocking(card)} />
            ))
          )
        }
      </Loaded>
    </Screen>
  );
}

function CardPart({ card, reload, onUnblock }: { card: Card; reload(): void; onUnblock(): void }) {
  const { serial, label, status, blocked_by_you } = card;
  const { isBusy, error, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const block = () =>
    run(async () => {
      await post(`/me/cards/${encodeURIComponent(serial)}/block`);
      setAsking(false);
      reload();
    });
  const isBlocked = status === 'blocked';
  return (
    <div class="card">
      <h2>{label ?? t`Card`}</h2>
      <p>
        {shortSerial(serial)} – {isBlocked ? t`Blocked` : t`In use`}
      </p>
      <Fault error={error} />
      {isAsking && <p>{t`Nobody can pay with a blocked card. You can unblock it here.`}</p>}
      {!isBlocked && !isAsking && (
        <button type="button" class="second" onClick={() => setAsking(true)}>{t`Block`}</button>
      )}
      {isAsking && <button type="button" aria-disabled={isBusy} onClick={block}>{t`Block this card`}</button>}
      {isBlocked &&
        (blocked_by_you ? (
          <button type="button" class="second" onClick={onUnblock}>{t`Unblock`}</button>
        ) : (
          <p class="quiet">{withSupport(t`Support blocked it.`)}</p>
        ))}
    </div>
  );
}

function Unblock({ card: { serial }, onDone, onBack }: { card: Card; onDone(): void; onBack(): void }) {
  const { isBusy, error, run } = useAction();
  const pin = usePin();
  const unblock = () => {
    const digits = pin.take();
    if (digits === null) return;
    run(async () => {
      await post(`/me/cards/${encodeURIComponent(serial)}/unblock`, { pin: digits });
      onDone();
    });
  };
  return (
    <Screen isForm title={t`Unblock the card`} action={t`Unblock`} onAction={unblock} isBusy={isBusy} back={onBack}>
      <p>{shortSerial(serial)}</p>
      <PinField pin={pin} />
      <Fault error={error} />
    </Screen>
  );
}
