// The changes of cards: link, child card, name and limit, block, unblock, unlink.
import type { ListedCard } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Action } from '../../components/action.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { ReasonAction } from '../../components/reason-action.tsx';
import { amount, readAmount } from '../../format/money.ts';

export type CardDialog =
  | { kind: 'link'; subscriberId: string }
  | { kind: 'child' | 'change' | 'block' | 'unblock' | 'unlink'; card: ListedCard };

const CHANGES = ['cards', 'subscribers', 'audit'];

interface DialogProps {
  onClose: () => void;
}

export function CardDialogs({ dialog, onClose }: DialogProps & { dialog: CardDialog }): ReactNode {
  const { t } = useLingui();
  if (dialog.kind === 'link') return <LinkDialog subscriberId={dialog.subscriberId} onClose={onClose} />;
  const { card } = dialog;
  const { serial } = card;
  switch (dialog.kind) {
    case 'child':
      return <ChildDialog parent={serial} onClose={onClose} />;
    case 'change':
      return <ChangeDialog card={card} onClose={onClose} />;
    case 'block':
      return <BlockDialog serial={serial} onClose={onClose} />;
    case 'unblock':
      return (
        <Action
          onClose={onClose}
          changes={CHANGES}
          title={t`Unblock card ${serial}`}
          description={t`The card can pay again.`}
          submitLabel={t`Unblock`}
          doneMessage={t`The card is unblocked.`}
          call={(client) => client.cards.unblock(serial)}
        />
      );
    case 'unlink':
      return (
        <ReasonAction
          onClose={onClose}
          changes={CHANGES}
          reason="optional"
          isDangerous
          title={t`Unlink card ${serial}`}
          description={t`The card no longer belongs to this wallet. It can be linked to another one.`}
          submitLabel={t`Unlink`}
          doneMessage={t`The card is unlinked.`}
          call={(client, reason) => client.cards.unlink(serial, reason ? { reason } : {})}
        />
      );
  }
}

function LinkDialog({ subscriberId, onClose }: DialogProps & { subscriberId: string }) {
  const { t } = useLingui();
  const [serial, setSerial] = useState('');
  const [name, setName] = useState('');
  const body = {
    card_serial: serial.trim(),
    subscriber_id: subscriberId,
    ...(name.trim() ? { label: name.trim() } : {}),
  };
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      title={t`Link a card`}
      description={t`A card in stock becomes a card of this wallet. It pays with the PIN of the customer.`}
      submitLabel={t`Link`}
      doneMessage={t`The card is linked.`}
      isReady={serial.trim() !== ''}
      call={(client) => client.cards.link(body)}
    >
      <SerialInput value={serial} onChange={setSerial} />
      <NameInput value={name} onChange={setName} />
    </Action>
  );
}

function ChildDialog({ parent, onClose }: DialogProps & { parent: string }) {
  const { t } = useLingui();
  const [serial, setSerial] = useState('');
  const [name, setName] = useState('');
  const [limit, setLimit] = useState('');
  const minorUnits = readAmount(limit);
  const body = {
    parent_serial: parent,
    card_serial: serial.trim(),
    ...(name.trim() ? { label: name.trim() } : {}),
    ...(minorUnits === null ? {} : { daily_limit: minorUnits }),
  };
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      title={t`Add a child card`}
      description={t`It pays from the same wallet, up to a daily limit of its own.`}
      submitLabel={t`Add`}
      doneMessage={t`The child card is linked.`}
      isReady={serial.trim() !== '' && (limit.trim() === '' || minorUnits !== null)}
      call={(client) => client.cards.linkChild(body)}
    >
      <SerialInput value={serial} onChange={setSerial} />
      <NameInput value={name} onChange={setName} />
      <MoneyInput label={t`Daily limit (optional)`} value={limit} onChange={setLimit} required={false} />
    </Action>
  );
}

function ChangeDialog({ card, onClose }: DialogProps & { card: ListedCard }) {
  const { t } = useLingui();
  const [name, setName] = useState(card.label ?? '');
  const [limit, setLimit] = useState(card.daily_limit ? amount(card.daily_limit) : '');
  const minorUnits = readAmount(limit);
  const body = { label: name.trim(), daily_limit: minorUnits ?? '' };
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      title={t`Card ${card.serial}`}
      submitLabel={t`Save`}
      doneMessage={t`The card was changed.`}
      isReady={limit.trim() === '' || minorUnits !== null}
      call={(client) => client.cards.update(card.serial, body)}
    >
      <NameInput value={name} onChange={setName} />
      <MoneyInput label={t`Daily limit (empty: none)`} value={limit} onChange={setLimit} required={false} />
    </Action>
  );
}

function BlockDialog({ serial, onClose }: DialogProps & { serial: string }) {
  const { t } = useLingui();
  const [isPermanent, setPermanent] = useState(false);
  return (
    <ReasonAction
      onClose={onClose}
      changes={CHANGES}
      isDangerous
      reason={isPermanent ? 'required' : 'optional'}
      title={t`Block card ${serial}`}
      description={t`The card cannot pay. The wallet and its other cards continue to work.`}
      submitLabel={t`Block`}
      doneMessage={t`The card is blocked.`}
      call={(client, reason) =>
        client.cards.block(serial, { ...(reason ? { reason } : {}), ...(isPermanent ? { permanent: true } : {}) })
      }
    >
      <Checkbox
        label={t`Lost or stolen`}
        description={t`The card is unlinked and can never be used again.`}
        checked={isPermanent}
        onChange={({ currentTarget }) => setPermanent(currentTarget.checked)}
      />
    </ReasonAction>
  );
}

interface InputProps {
  value: string;
  onChange: (value: string) => void;
}

function SerialInput({ value, onChange }: InputProps) {
  const { t } = useLingui();
  return (
    <TextInput
      label={t`Serial of the card`}
      required
      autoComplete="off"
      data-autofocus
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function NameInput({ value, onChange }: InputProps) {
  const { t } = useLingui();
  return (
    <TextInput
      label={t`Name of the card (optional)`}
      placeholder={t`Daily card`}
      autoComplete="off"
      maxLength={60}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
