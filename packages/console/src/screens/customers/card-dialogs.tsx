// The changes of cards: link, child card, name and limit, block, unblock, unlink.
import type { ListedCard } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Checkbox, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { Action } from '../../components/action.tsx';
import { trimmed } from '../../components/form-values.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { ReasonAction } from '../../components/reason-action.tsx';
import { amount, readAmount } from '../../format/money.ts';

export type CardDialog =
  | { kind: 'link'; subscriberId: string }
  | { kind: 'child' | 'change' | 'block' | 'unblock' | 'unlink'; card: ListedCard };

const CHANGES = ['cards', 'subscribers', 'audit'];
const EMPTY = { serial: '', name: '', limit: '' };

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
  const form = useForm({ initialValues: EMPTY });
  const { serial, name } = trimmed(form.values);
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      title={t`Link a card`}
      description={t`A card from stock is linked to this wallet. It pays with the customer's PIN.`}
      submitLabel={t`Link`}
      doneMessage={t`The card is linked.`}
      isReady={serial !== ''}
      call={(client) =>
        client.cards.link({ card_serial: serial, subscriber_id: subscriberId, ...(name ? { label: name } : {}) })
      }
    >
      <CardFields form={form} isNew />
    </Action>
  );
}

function ChildDialog({ parent, onClose }: DialogProps & { parent: string }) {
  const { t } = useLingui();
  const form = useForm({ initialValues: EMPTY });
  const { serial, name, limit } = trimmed(form.values);
  const daily_limit = readAmount(limit);
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      title={t`Add a child card`}
      description={t`It pays from the same wallet, up to its own daily limit.`}
      submitLabel={t`Add`}
      doneMessage={t`The child card is linked.`}
      isReady={serial !== '' && (limit === '' || daily_limit !== null)}
      call={(client) =>
        client.cards.linkChild({
          parent_serial: parent,
          card_serial: serial,
          ...(name ? { label: name } : {}),
          ...(daily_limit === null ? {} : { daily_limit }),
        })
      }
    >
      <CardFields form={form} isNew limitLabel={t`Daily limit (optional)`} />
    </Action>
  );
}

function ChangeDialog({ card, onClose }: DialogProps & { card: ListedCard }) {
  const { t } = useLingui();
  const form = useForm({
    initialValues: {
      serial: card.serial,
      name: card.label ?? '',
      limit: card.daily_limit ? amount(card.daily_limit) : '',
    },
  });
  const { name, limit } = trimmed(form.values);
  const daily_limit = readAmount(limit);
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      title={t`Card ${card.serial}`}
      submitLabel={t`Save`}
      doneMessage={t`The card was changed.`}
      isReady={limit === '' || daily_limit !== null}
      call={(client) => client.cards.update(card.serial, { label: name, daily_limit: daily_limit ?? '' })}
    >
      <CardFields form={form} limitLabel={t`Daily limit (empty: none)`} />
    </Action>
  );
}

interface CardFieldsProps {
  form: UseFormReturnType<typeof EMPTY>;
  isNew?: boolean;
  /** The card's own limit. */
  limitLabel?: string;
}

function CardFields({ form, isNew = false, limitLabel }: CardFieldsProps) {
  const { t } = useLingui();
  const field = (name: keyof typeof EMPTY) => ({ autoComplete: 'off', ...form.getInputProps(name) });
  return (
    <>
      {isNew && <TextInput label={t`Card serial`} required data-autofocus {...field('serial')} />}
      <TextInput label={t`Card name (optional)`} placeholder={t`Daily card`} maxLength={60} {...field('name')} />
      {limitLabel && <MoneyInput label={limitLabel} required={false} {...form.getInputProps('limit')} />}
    </>
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
