// Response schemas for one transaction and of its evidence.
import { type TSchema, Type } from 'typebox';
import { integerOrNull, minorUnits, pdfFile, textOrNull, timestamp } from '../../http/fields.ts';
import { transaction } from '../transactions/service.ts';

const party = Type.Object(
  {
    id: textOrNull('Null for a politically exposed person on the other side.'),
    kind: textOrNull(
      'wallet, agent_float, agent_commission, processor, partner_clearing, payouts_in_transit, treasury, suspense or fee_income.',
    ),
    role: textOrNull('sender, recipient, agent or processor.'),
    name: textOrNull(
      'In full for staff; first name and initial of a subscriber for others; null for a politically exposed person.',
    ),
    phone_number: textOrNull("E.164; for callers who cannot read the party's record: +232 ** *** 456."),
    account_number: textOrNull(
      "A wallet's number, masked except for the last four digits for callers who cannot read its record; a merchant's merchant_id.",
    ),
    owner: textOrNull("The name of the person who owns the agent's or merchant's business."),
    location: textOrNull("The agent's town or address."),
  },
  { title: 'TransactionParty' },
);

const posting = Type.Object(
  {
    account_id: Type.String(),
    party: Type.Enum(['payer', 'payee', 'operator']),
    amount: minorUnits('Signed: negative if the account paid.'),
    fee: minorUnits('The part that is a fee charged to the account.'),
    balance_after: Type.Unsafe<number | null>({
      ...integerOrNull(),
      description: 'Null if the caller may not see it.',
    }),
  },
  { title: 'Posting' },
);

const fee = Type.Object(
  {
    party: Type.Enum(['payer', 'payee']),
    account_id: textOrNull('Null for a politically exposed person on the other side.'),
    charged: minorUnits('Fee paid by the party.'),
    earned: minorUnits('Commission of the party, paid at once or accrued until it is settled.'),
  },
  { title: 'TransactionFee' },
);

const related = Type.Object(
  {
    relation: Type.Enum(['original', 'refund', 'reversal', 'resolution']),
    transaction_id: Type.String(),
    type: Type.String(),
    amount: minorUnits(),
    created_at: timestamp(),
  },
  { title: 'RelatedTransaction' },
);

const alert = Type.Object(
  {
    id: Type.String(),
    severity: Type.String(),
    status: Type.String(),
    type: Type.String(),
    rule_id: textOrNull(),
    description: Type.String(),
    created_at: timestamp(),
  },
  { title: 'TransactionAlert' },
);

const delivery = Type.Object(
  {
    id: Type.String(),
    event: Type.String(),
    status: Type.String(),
    attempt_count: Type.Integer(),
    created_at: timestamp(),
    finished_at: textOrNull(),
  },
  { title: 'TransactionDelivery' },
);

const auditEntry = Type.Object(
  {
    id: Type.String(),
    at: timestamp(),
    actor_type: Type.String(),
    actor_id: textOrNull(),
    actor_name: textOrNull('The current name of the user or API key; null for others.'),
    action: Type.String(),
    request_id: textOrNull(),
  },
  { title: 'TransactionAuditEntry' },
);

const seal = Type.Object(
  {
    batch: Type.Integer({ description: 'chain × 2^32 + number.' }),
    chain: Type.Integer(),
    number: Type.Integer({ description: "The batch's number in its chain." }),
    format: Type.Integer(),
    mac: Type.String({ description: 'HMAC-SHA-256 over the previous seal and everything the batch wrote, in hex.' }),
    sealed_at: timestamp(),
  },
  { title: 'TransactionSeal' },
);

const details = Type.Object(
  {
    ...transaction.properties,
    authorization_code: textOrNull('For card payments.'),
    card: textOrNull("The card's serial, masked except for the last four characters."),
    terminal_id: textOrNull(),
    receipt_url: textOrNull(
      'The public link of the receipt, for 13 months; null for what the operator moves between its own accounts and floats.',
    ),
    payer: party,
    payee: party,
    postings: Type.Array(posting, { description: 'For the operator, all postings; for an owner, its own posting.' }),
    fees: Type.Array(fee, {
      description:
        "For the operator and the agent of a cash-in or cash-out, both sides' fees; for other owners, their own fee.",
    }),
    related: Type.Array(related, { description: 'The original of a refund or reversal; refunds and reversals of it.' }),
    seal: Type.Union([seal, Type.Null()], {
      description: 'Null if the transaction is not sealed, which `ledger:verify` reports.',
    }),
    actor_name: Type.Optional(
      textOrNull('The current name of the user or API key that asked for it; null for others. For staff only.'),
    ),
    alerts: Type.Optional(Type.Array(alert, { description: 'For callers with compliance:read.' })),
    webhook_deliveries: Type.Optional(
      Type.Array(delivery, {
        description: 'For staff. Of credits under the same reference, and of a payment to its merchant.',
      }),
    ),
    audit_entries: Type.Optional(
      Type.Array(auditEntry, { description: 'For callers with audit:read; the latest 50.' }),
    ),
  },
  { title: 'TransactionDetails' },
);

export const detailsReply = Type.Object({ transaction: details });

export const evidenceReply = {
  description: 'The evidence of the transaction as a PDF.',
  content: { 'application/pdf': { schema: pdfFile('the transaction with its parties, postings and seal.') } },
} as unknown as TSchema;
