// Request and response schemas for the reconciliation.
import { Type } from 'typebox';
import { idField, minorUnits, narration, textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { OPEN_REASONS, type ReturnState } from './return-state.ts';

export const ITEM_STATUSES = ['matched', 'suggested', 'unmatched', 'written_off'] as const;
export const MATCH_STATUSES = ['matched', 'written_off', 'undone'] as const;
export const MATCH_KINDS = ['reference', 'amount', 'day_sum', 'manual', 'write_off'] as const;
const SIDES = ['bank', 'books'] as const;

const MAX_ITEMS = 500;
const ids = (what: string) =>
  Type.Array(idField(what), {
    maxItems: MAX_ITEMS,
    uniqueItems: true,
    [ERROR_MESSAGE]: `must be a list of at most ${MAX_ITEMS} different ids`,
  });

const item = Type.Object(
  {
    id: Type.String({ description: 'The id of the bank entry or of the transaction.' }),
    side: Type.Enum(SIDES),
    date: Type.String({ description: 'The booking date, or the UTC day of the transaction.' }),
    age_days: Type.Integer({ description: 'Days since then.' }),
    amount: minorUnits('As the bank shows it: money that arrives is positive. Minor units.'),
    status: Type.Enum(ITEM_STATUSES),
    type: Type.String({
      description: "bank_entry, the transaction's type, or archived if the transaction is archived.",
    }),
    reference: textOrNull("The bank's, or the transaction's; its request id if it has none."),
    counterparty: textOrNull('As the bank names it, or the name of the agent, partner or processor.'),
    description: textOrNull(),
    trust_account_id: textOrNull('For bank entries.'),
    statement_id: textOrNull('The bank statement of a bank entry.'),
    party_id: textOrNull('The agent, partner or processor of a transaction.'),
    match_id: textOrNull('The match or write-off.'),
    suggestion_id: textOrNull('The suggestion that it is part of.'),
    owner_id: textOrNull('The user working on it; null if nobody is. It stays with the item when it is matched.'),
    owner_name: textOrNull("The owner's name."),
    owned_since: textOrNull('When the owner took it. ISO 8601, UTC.'),
    open_reason: Type.Unsafe<ReturnState['open_reason']>({
      type: ['string', 'null'],
      enum: [...OPEN_REASONS, null],
      description:
        "For open pay-outs that were returned, and open returns. bank_debit_missing: the bank's credit is recorded, the debit that executed the pay-out is not. bank_credit_missing: the reverse. both_open: neither is matched; if the bank never executed the pay-out, match the two with each other. Otherwise null.",
    }),
    related_id: textOrNull("The return of such a pay-out, or such a return's pay-out."),
    expected_trust_account_id: textOrNull(
      'The trust account that has the other bank entry; the missing one is expected in its statements.',
    ),
  },
  { title: 'ReconciliationItem' },
);

export const match = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(MATCH_KINDS, { description: 'The rule that found it, manual, or write_off.' }),
    status: Type.Enum(MATCH_STATUSES),
    bank_entry_ids: Type.Array(Type.String()),
    transaction_ids: Type.Array(Type.String()),
    bank_amount: minorUnits('The sum of the bank entries. Minor units.'),
    books_amount: minorUnits('The sum of the transactions; equal to bank_amount except in a write-off. Minor units.'),
    note: textOrNull('The note, or the reason for a write-off.'),
    created_by: textOrNull('The user; null if a run matched it.'),
    created_at: timestamp(),
    undone_by: textOrNull(),
    undone_at: textOrNull('ISO 8601, UTC.'),
    cleared_transaction_id: textOrNull('The movement that cleared its pay-outs.'),
    uncleared_transaction_id: textOrNull('The movement that reversed the clearing when the match was undone.'),
  },
  { title: 'ReconciliationMatch' },
);

const suggestion = Type.Object(
  {
    id: Type.String(),
    rule: Type.Enum(['reference', 'amount', 'day_sum']),
    bank_entry_ids: Type.Array(Type.String()),
    transaction_ids: Type.Array(Type.String()),
    amount: minorUnits('The sum of each side. Minor units.'),
    created_at: timestamp(),
  },
  { title: 'ReconciliationSuggestion' },
);

const done = { success: Type.Literal(true), message: Type.String() };

export const runReply = Type.Object({
  ...done,
  run: Type.Object({
    id: Type.String(),
    matched: Type.Integer({ description: 'Matches that this run made.' }),
    suggested: Type.Integer({ description: 'Suggestions that are open now.' }),
    started_at: timestamp(),
    finished_at: timestamp(),
  }),
});

export const itemsQuery = listQuery({
  status: Type.Optional(Type.Enum(ITEM_STATUSES)),
  side: Type.Optional(Type.Enum(SIDES)),
  older_than_days: Type.Optional(
    Type.String({
      pattern: '^\\d{1,5}$',
      description: 'Only items more than this many days old.',
      [ERROR_MESSAGE]: 'must be a whole number of days',
    }),
  ),
  owner: Type.Optional(
    Type.Enum(['me', 'none'], {
      description: "me: only the caller's items. none: only items without an owner.",
    }),
  ),
  statement_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only the entries of this bank statement.' })),
});
export const itemsReply = listReply('items', item);
export const matchesQuery = listQuery({ status: Type.Optional(Type.Enum(MATCH_STATUSES)) });
export const matchesReply = listReply('matches', match);
export const suggestionsQuery = listQuery({});
export const suggestionsReply = listReply('suggestions', suggestion);

export const matchBody = Type.Object({
  bank_entry_ids: ids('a bank entry'),
  transaction_ids: ids('a transaction'),
  note: Type.Optional(narration('Kept with the match.')),
});
export const acceptBody = Type.Object({ note: Type.Optional(narration('Kept with the match.')) });
export const writeOffBody = Type.Object({
  bank_entry_ids: Type.Optional(ids('a bank entry')),
  transaction_ids: Type.Optional(ids('a transaction')),
  reason: narration('Why; kept with the write-off.'),
});
export const ownerBody = Type.Object({
  bank_entry_ids: Type.Optional(ids('a bank entry')),
  transaction_ids: Type.Optional(ids('a transaction')),
});
export const ownerReply = Type.Object({
  ...done,
  changed: Type.Integer({ description: 'Items whose owner changed.' }),
});
export const matchReply = Type.Object({
  match,
  items: Type.Array(item, { description: 'Bank entries first, then transactions. An undone match keeps its items.' }),
});
export const changedReply = Type.Object({ ...done, match }, { title: 'ChangedMatch' });
