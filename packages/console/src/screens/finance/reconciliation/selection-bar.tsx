// What is selected, the running difference, and what can be done with it.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Action } from '../../../components/action.tsx';
import { type Fact, Facts } from '../../../components/facts.tsx';
import { lazyPart } from '../../../components/lazy-part.ts';
import { ReasonInput } from '../../../components/reason-input.tsx';
import { amount, money } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import { useCorrectable, useReturnable } from './correctable.ts';
import classes from './desk.module.css';
import { OwnerButtons } from './owner.tsx';
import { CHANGED, type Item, type Selection } from './selection.ts';

export type Dialog = 'match' | 'write-off' | 'correct' | 'return' | null;

/** Loaded when it is opened. */
const Correction = lazyPart(async () => ({ default: (await import('./correction.tsx')).Correction }));

const ReturnPayout = lazyPart(async () => ({ default: (await import('../payouts/return-payout.tsx')).ReturnPayout }));

interface BarProps {
  selection: Selection;
  dialog: Dialog;
  onDialog: (dialog: Dialog) => void;
}

export function SelectionBar({ selection, dialog, onDialog }: BarProps) {
  const { t } = useLingui();
  const { items, bank, books, bankSum, booksSum, difference, isBalanced, clear } = selection;
  const [bankCount, booksCount] = [bank.length, books.length];
  const payout = useReturnable(selection);
  const close = () => onDialog(null);
  return (
    <section className={classes.bar}>
      {items.length === 0 && (
        <Text size="sm" c="dimmed" className={classes.grow ?? ''}>
          <Trans>Select items on both sides with the same total. Arrows move, Space selects, Enter matches.</Trans>
        </Text>
      )}
      <div className={classes.sums} aria-live="polite" hidden={items.length === 0}>
        <Sum name={<Trans>Bank ({bankCount})</Trans>} value={bankSum} />
        <Sum name={<Trans>Books ({booksCount})</Trans>} value={booksSum} />
        <Sum name={<Trans>Difference</Trans>} value={difference} tone={isBalanced ? 'good' : 'open'} />
      </div>
      <Group gap="xs">
        <Button variant="subtle" color="gray" onClick={clear} disabled={items.length === 0}>{t`Clear`}</Button>
        <OwnerButtons items={items} onDone={clear} />
        <Button variant="default" onClick={() => onDialog('write-off')} disabled={items.length === 0}>
          <Trans>Write off</Trans>
        </Button>
        {useCorrectable(selection) && (
          <Button variant="default" onClick={() => onDialog('correct')}>{t`Correct the difference`}</Button>
        )}
        {payout && <Button variant="default" onClick={() => onDialog('return')}>{t`Return the pay-out`}</Button>}
        <Button disabled={!isBalanced} onClick={() => onDialog('match')}>{t`Match`}</Button>
      </Group>
      {dialog === 'match' && <MatchDialog selection={selection} onClose={close} />}
      <Suspense>{dialog === 'correct' && <Correction selection={selection} onClose={close} />}</Suspense>
      <Suspense>
        {dialog === 'return' && payout && (
          <ReturnPayout
            merchant={{ id: payout.party_id ?? '', business_name: payout.counterparty ?? '' }}
            payout={{ transaction_id: payout.id, reference: payout.reference, amount: Math.abs(payout.amount) }}
            initialEntry={bank[0]?.id}
            onClose={() => {
              close();
              clear();
            }}
          />
        )}
      </Suspense>
      {dialog === 'write-off' && <WriteOffDialog selection={selection} onClose={close} />}
    </section>
  );
}

function Sum({ name, value, tone }: { name: React.ReactNode; value: number; tone?: 'good' | 'open' }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <span className={classes.sum} data-tone={tone}>
        {amount(value)}
      </span>
    </div>
  );
}

const factOf = ({ counterparty, description, reference, id, date: day, amount: value }: Item): Fact => [
  `${counterparty ?? description ?? reference ?? id}, ${date(day)}`,
  money(value),
];

interface DialogProps {
  selection: Selection;
  onClose: () => void;
}

function MatchDialog({ selection, onClose }: DialogProps) {
  const { t } = useLingui();
  const [note, setNote] = useState('');
  const { bank, books, bankSum } = selection;
  return (
    <Action
      onClose={onClose}
      title={t`Match these items`}
      submitLabel={t`Match`}
      isReady={selection.isBalanced}
      call={(client) =>
        client.reconciliation.match({
          bank_entry_ids: bank.map(({ id }) => id),
          transaction_ids: books.map(({ id }) => id),
          ...(note.trim() === '' ? {} : { note }),
        })
      }
      doneMessage={t`Matched. It can be undone under Matches.`}
      changes={CHANGED}
      onDone={selection.clear}
    >
      <Facts facts={[...selection.items.map(factOf), [t`Total of each side`, money(bankSum)]]} />
      <ReasonInput label={t`Note (optional)`} value={note} onChange={setNote} required={false} />
    </Action>
  );
}

function WriteOffDialog({ selection, onClose }: DialogProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const { bank, books, items } = selection;
  return (
    <Action
      onClose={onClose}
      title={t`Write off these items`}
      description={t`For items that will never have a match, such as bank charges. No money moves in the books.`}
      submitLabel={t`Write off`}
      isDangerous
      isReady={items.length > 0 && reason.trim() !== ''}
      call={(client) =>
        client.reconciliation.writeOff({
          ...(bank.length === 0 ? {} : { bank_entry_ids: bank.map(({ id }) => id) }),
          ...(books.length === 0 ? {} : { transaction_ids: books.map(({ id }) => id) }),
          reason,
        })
      }
      doneMessage={t`Written off. It can be undone under Matches.`}
      changes={CHANGED}
      onDone={selection.clear}
    >
      <Facts facts={items.map(factOf)} />
      <ReasonInput label={t`Reason`} value={reason} onChange={setReason} />
    </Action>
  );
}
