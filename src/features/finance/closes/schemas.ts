// Schemas for daily closes and the public keys.
import { type Static, type TSchema, Type } from 'typebox';
import { idField, integerOrNull, minorUnits, narration, pdfFile, textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import type { AgedItems, CloseDocument } from './document.ts';
import type { Figures } from './figures.ts';
import type { CloseRow } from './store.ts';

const day = (description: string) => Type.String({ maxLength: 10, description: `${description} YYYY-MM-DD, UTC.` });

export const closeBody = Type.Object({
  date: day('The day to close.'),
  corrects: Type.Optional(idField('the close of the day that this one corrects')),
  reason: Type.Optional(narration('Why the close is corrected; part of the document.')),
});

const summary = {
  id: Type.String(),
  number: Type.Integer({ description: 'The place in the chain of hashes, from 1.' }),
  date: Type.String({ description: 'The UTC day.' }),
  e_money: minorUnits('E-money at the end of the day. Minor units.'),
  trust_balance: minorUnits('Trust balances according to the statements. Minor units.'),
  cover_ratio: textOrNull('Trust balances divided by e-money, rounded down; null: unknown, or no e-money.'),
  cover_difference: integerOrNull(),
  suspense: minorUnits('Open items of the suspense account. Minor units.'),
  sha256: Type.String({ description: 'SHA-256 of the document.' }),
  previous_sha256: textOrNull("The previous close's; null in the first."),
  corrects: textOrNull('The id of the close that this one corrects.'),
  key_id: Type.String({ description: 'The key of /.well-known/kissi-keys.json that verifies the signature.' }),
  created_by: Type.String({ description: 'A user, or system.' }),
  created_at: timestamp(),
};

const listed = Type.Object(summary, { title: 'CloseSummary' });

const close = Type.Object(
  {
    ...summary,
    document: Type.String({ description: 'The exact text that is signed: canonical JSON (RFC 8785) in UTF-8.' }),
    signature: Type.String({ description: 'Ed25519 over the bytes of the document, in base64.' }),
  },
  { title: 'Close' },
);

const openItems = (description: string) =>
  Type.Object(
    { count: Type.Integer({ description: 'Number of items.' }), amount: minorUnits('Their sum, in minor units.') },
    { description },
  );

const figures = Type.Object(
  {
    date: day('The day.'),
    e_money: summary.e_money,
    trust_balance: summary.trust_balance,
    cover_ratio: summary.cover_ratio,
    cover_difference: integerOrNull('Trust balances less e-money; null: there is no statement yet. Minor units.'),
    owed_by_partners: minorUnits('What partners owe. Minor units.'),
    suspense: openItems('Open items of the suspense account.'),
    unmatched_bank: openItems('Bank entries without a match.'),
    unmatched_books: openItems('Movements without a match.'),
    statements_missing: Type.Integer({ description: 'Trust accounts whose statements do not reach the day.' }),
  },
  { title: 'CloseFigures' },
);

export const figuresParams = Type.Object({ date: day('The day.') });
export const figuresReply = Type.Object({ figures });

export function figuresView(date: string, read: Figures): Static<typeof figures> {
  const { e_money, trust, cover_ratio, cover_difference, partners, suspense, unmatched } = read;
  const open = ({ count, amount }: AgedItems) => ({ count, amount });
  return {
    ...{ date, e_money: e_money.total, trust_balance: trust.total, cover_ratio, cover_difference },
    owed_by_partners: partners.owed,
    suspense: open(suspense),
    unmatched_bank: open(unmatched.bank),
    unmatched_books: open(unmatched.books),
    statements_missing: trust.accounts.filter(({ balance_date }) => balance_date !== date).length,
  };
}

export const closesQuery = listQuery({
  from: Type.Optional(day('The first day.')),
  to: Type.Optional(day('The last day.')),
});
export const closesReply = listReply('closes', listed);
export const closeReply = Type.Object({ close });
export const createdReply = Type.Object({ success: Type.Literal(true), message: Type.String(), close });
export const closeParams = Type.Object({
  date: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "The day, or a close's id: a day that was corrected has several.",
  }),
});
export const certificateReply = {
  description: 'The close as a PDF; the line after its end is the signature.',
  content: {
    'application/pdf': { schema: pdfFile("the day's figures. `npm run close:verify` verifies its signature.") },
  },
} as unknown as TSchema;

export const keysReply = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      kid: Type.String(),
      use: Type.String(),
      alg: Type.String(),
      purpose: Type.Optional(
        Type.Literal('receipt', { description: 'Of the key that signs receipts, and nothing else.' }),
      ),
    }),
    {
      description:
        'Ed25519 keys (RFC 8037): the current one of closes, all that signed a close, and that of receipts. key_id names the one that signed a document.',
    },
  ),
});

export function summaryView(row: CloseRow): Static<typeof listed> {
  const { id, number, date, sha256, previous_sha256, corrects, key_id, created_by, created_at } = row;
  const { e_money, trust, cover_ratio, cover_difference, suspense } = JSON.parse(row.document) as CloseDocument;
  return {
    ...{ id, number, date, e_money: e_money.total, trust_balance: trust.total, cover_ratio, cover_difference },
    ...{ suspense: suspense.amount, sha256, previous_sha256, corrects, key_id, created_by },
    created_at: iso(created_at),
  };
}

export function closeView(row: CloseRow): Static<typeof close> {
  const { document, signature } = row;
  return { ...summaryView(row), document, signature };
}
