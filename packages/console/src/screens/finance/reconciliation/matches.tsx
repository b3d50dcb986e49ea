// Matches and write-offs, newest first. Each can be undone once and stays in the history.
import type { ReconciliationMatch } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../../api/user.ts';
import { Action } from '../../../components/action.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Facts } from '../../../components/facts.tsx';
import type { ListDefinition } from '../../../components/list/definition.ts';
import { RecordList } from '../../../components/list/list.tsx';
import { Instant, Money, Status, Titled } from '../../../components/values.tsx';
import { money } from '../../../format/money.ts';
import { zoneName } from '../../../format/time.ts';
import { MatchItems } from './match-items.tsx';
import { CHANGED } from './selection.ts';

export function Matches() {
  const { t } = useLingui();
  const [undone, setUndone] = useState<ReconciliationMatch | null>(null);
  const [shown, setShown] = useState<ReconciliationMatch | null>(null);
  return (
    <>
      <RecordList definition={useDefinition(setUndone, setShown)} />
      {shown && (
        <Dialog size="xl" onClose={() => setShown(null)} title={t`Items of the match`}>
          <MatchItems id={shown.id} />
        </Dialog>
      )}
      {undone && (
        <Action
          onClose={() => setUndone(null)}
          title={undone.status === 'written_off' ? t`Undo the write-off` : t`Undo the match`}
          description={t`Its items are open again. The match stays in the history. A pay-out that it cleared is in transit again.`}
          submitLabel={t`Undo`}
          isDangerous
          call={(client) => client.reconciliation.undoMatch(undone.id)}
          doneMessage={t`Undone. The items are open again.`}
          changes={CHANGED}
        >
          <Facts
            facts={[
              [t`Bank`, money(undone.bank_amount)],
              [t`Books`, money(undone.books_amount)],
              [t`Note`, undone.note],
            ]}
          />
        </Action>
      )}
    </>
  );
}

function useDefinition(
  onUndo: (match: ReconciliationMatch) => void,
  onShow: (match: ReconciliationMatch) => void,
): ListDefinition<ReconciliationMatch> {
  const { t } = useLingui();
  const can = useCan();
  const zone = zoneName();
  const kinds = {
    reference: t`Same reference`,
    amount: t`Same amount and name`,
    day_sum: t`Daily total`,
    manual: t`By hand`,
    write_off: t`Written off`,
  };
  return {
    resource: 'matches',
    noun: t`matches`,
    fileName: 'matches',
    items: 'matches',
    read: (client, query, options) => client.reconciliation.matches(query as never, options),
    keyOf: ({ id }) => id,
    filters: [{ kind: 'choice', name: 'status', label: t`Status`, options: ['matched', 'written_off', 'undone'] }],
    columns: [
      {
        title: t`Match`,
        keep: 'title',
        cell: ({ kind, note, created_by }) => (
          <Titled name={kinds[kind]} note={note ?? (created_by === null ? t`By a run` : '')} />
        ),
      },
      {
        title: t`Items`,
        cell: (row) => {
          const [bank, books] = [row.bank_entry_ids.length, row.transaction_ids.length];
          return (
            <Button variant="subtle" size="compact-xs" onClick={() => onShow(row)}>
              <Trans>
                {bank} bank, {books} books
              </Trans>
            </Button>
          );
        },
      },
      {
        title: t`Amount (SLE)`,
        align: 'end',
        cell: ({ bank_amount, books_amount }) => (
          <Money value={bank_amount === 0 ? books_amount : bank_amount} signed />
        ),
      },
      { title: t`Made (${zone})`, cell: ({ created_at }) => <Instant at={created_at} /> },
      { title: t`Status`, cell: ({ status }) => <Status value={status} /> },
      ...(can('reconciliation:write')
        ? [
            {
              title: '',
              align: 'end' as const,
              cell: (row: ReconciliationMatch) =>
                row.status !== 'undone' && (
                  <Button variant="default" size="compact-xs" onClick={() => onUndo(row)}>{t`Undo`}</Button>
                ),
            },
          ]
        : []),
    ],
  };
}
