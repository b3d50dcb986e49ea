// Request and response schemas for trust accounts, bank statements and their entries.
import { type Static, Type } from 'typebox';
import { integerOrNull, line, minorUnits, textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { putBody } from '../../../http/put.ts';
import { iso } from '../../../kernel/clock.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import { MEDIA_TYPES } from './parsing/read-statement.ts';
import type { EntryRow, StatementRow, TrustAccount } from './store.ts';

const STATUSES = ['active', 'closed'] as const;
const FORMATS = ['camt.053', 'mt940', 'csv'] as const;

const day = (description: string) => Type.String({ description: `${description} YYYY-MM-DD.` });
const MAX_ACCOUNT_CHARACTERS = 40;

const name = line();
const bank = line();
const account_number = line(MAX_ACCOUNT_CHARACTERS);
const currency = Type.Enum([CURRENCY], { description: 'All e-money is in Leones.' });

export const createBody = Type.Object({ name, bank, account_number, currency: Type.Optional(currency) });

const trustAccountRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    bank: Type.String(),
    account_number: Type.String({ description: 'Letters and digits, without spaces and separators.' }),
    currency: Type.String(),
    status: Type.Enum(STATUSES, {
      description: 'A closed account takes no statements. Only an empty account can be closed.',
    }),
    balance: { ...integerOrNull(), description: 'The closing balance of the last statement. Minor units.' },
    balance_date: textOrNull('The day on which the last statement ends. YYYY-MM-DD.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'TrustAccount' },
);

const editable = Type.Object({
  name: Type.Optional(name),
  bank: Type.Optional(bank),
  account_number: Type.Optional(account_number),
  status: Type.Optional(Type.Enum(STATUSES)),
});
export const updateBody = putBody(editable, trustAccountRecord);

const done = { success: Type.Literal(true), message: Type.String() };

export const trustAccountReply = Type.Object({ trust_account: trustAccountRecord });
export const changedReply = Type.Object(
  { ...done, trust_account: trustAccountRecord },
  { title: 'ChangedTrustAccount' },
);
export const trustAccountsQuery = listQuery({ status: Type.Optional(Type.Enum(STATUSES)) });
export const trustAccountsReply = listReply('trust_accounts', trustAccountRecord);

const statementRecord = Type.Object(
  {
    id: Type.String(),
    trust_account_id: Type.String(),
    format: Type.Enum(FORMATS),
    from: day('The first day.'),
    to: day('The last day.'),
    opening_balance: minorUnits('Minor units; negative if the account was overdrawn.'),
    closing_balance: minorUnits('Minor units; negative if the account was overdrawn.'),
    entry_count: Type.Integer(),
    file_sha256: Type.String({ description: 'The SHA-256 of the uploaded file, in hexadecimal digits.' }),
    uploaded_by: Type.String(),
    uploaded_at: timestamp(),
  },
  { title: 'BankStatement' },
);

export const statementParams = Type.Object({
  id: Type.String({ minLength: 1 }),
  statement_id: Type.String({ minLength: 1 }),
});
export const statementReply = Type.Object({ statement: statementRecord });
const warnings = Type.Array(Type.String(), {
  description: 'What to check, for example days between this statement and the previous one. The statement is valid.',
});
export const uploadedReply = Type.Object(
  { ...done, statement: statementRecord, warnings },
  { title: 'UploadedBankStatement' },
);
export const fileReply = {
  description: 'The file as it was uploaded.',
  content: Object.fromEntries(MEDIA_TYPES.map((type) => [type, { schema: Type.String() }])),
};
export const pageQuery = listQuery({});
export const statementsReply = listReply('statements', statementRecord);

const entryRecord = Type.Object(
  {
    id: Type.String(),
    trust_account_id: Type.String(),
    statement_id: Type.String(),
    position: Type.Integer({ description: 'From 1, in the order of the file.' }),
    booked_on: day('The day on which the bank booked it.'),
    amount: minorUnits('Minor units; credits are positive, debits negative.'),
    reference: textOrNull(),
    counterparty: textOrNull(),
    description: textOrNull(),
  },
  { title: 'BankEntry' },
);
export const entriesReply = listReply('entries', entryRecord);

export function trustAccountView(account: TrustAccount): Static<typeof trustAccountRecord> {
  const { created_at, updated_at, ...fields } = account;
  return { ...fields, created_at: iso(created_at), updated_at: iso(updated_at) };
}

export function statementView(statement: StatementRow): Static<typeof statementRecord> {
  const { from_date, to_date, file_sha256, uploaded_at, ...fields } = statement;
  return {
    ...fields,
    ...{ from: from_date, to: to_date },
    file_sha256: file_sha256.toString('hex'),
    uploaded_at: iso(uploaded_at),
  };
}

export function entryView(entry: EntryRow): Static<typeof entryRecord> {
  return entry;
}
