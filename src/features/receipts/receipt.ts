// A receipt: what anybody with the link may read about a payment, and its status now.

import type { Reader } from '../../db/driver/reader.ts';
import { iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { maskedPhone } from '../../kernel/phone.ts';
import type { FollowUpSum, MovementDetails } from '../../ledger/queries/movement-details.ts';
import { createContacts } from '../../parties/contacts.ts';
import { createPartyViews, type NameDependencies, rolesOf } from '../../parties/names.ts';

export const STATUSES = [
  'completed',
  'partly_refunded',
  'refunded',
  'reversed',
  'partly_recalled',
  'recalled',
] as const;
export type ReceiptStatus = (typeof STATUSES)[number];

export interface ReceiptParty {
  /** A customer's first name and initial; a business in full. */
  name: string | null;
  /** A customer's, masked; null for others. */
  phone_number: string | null;
}

export interface Receipt {
  transaction_id: string;
  type: string;
  amount: number;
  currency: string;
  payer: ReceiptParty;
  payee: ReceiptParty;
  created_at: string;
  status: ReceiptStatus;
  /** What was refunded or reversed so far. */
  returned_amount: number;
  operator: string;
  url: string | null;
  valid_until: string;
  /** When the receipt was read from the books, which its signature confirms. */
  signed_at: string;
}

export const VALID_MONTHS = 13;

export function validUntil(at: Date): Date {
  const end = new Date(at);
  end.setUTCMonth(end.getUTCMonth() + VALID_MONTHS);
  return end;
}

/** Movements that give a payment back, and what they make of it. */
const RETURNS: Record<string, { partly: ReceiptStatus; fully: ReceiptStatus }> = {
  pos_refund: { partly: 'partly_refunded', fully: 'refunded' },
  inbound_reversal: { partly: 'reversed', fully: 'reversed' },
  payout_returned: { partly: 'reversed', fully: 'reversed' },
  recall: { partly: 'partly_recalled', fully: 'recalled' },
  suspense_refund: { partly: 'reversed', fully: 'reversed' },
};

export function statusNow(
  amount: number,
  followUps: readonly FollowUpSum[],
): Pick<Receipt, 'status' | 'returned_amount'> {
  const returns = followUps.filter(({ type }) => Object.hasOwn(RETURNS, type));
  const returned_amount = returns.reduce((sum, each) => sum + each.amount, 0);
  const outcome = RETURNS[returns[0]?.type ?? ''];
  if (!outcome || returned_amount === 0) return { status: 'completed', returned_amount };
  return { status: returned_amount < amount ? outcome.partly : outcome.fully, returned_amount };
}

export interface ReceiptContext extends NameDependencies {
  reader: Reader;
  operatorName: string;
}

export function createReceiptView(context: ReceiptContext) {
  const partyView = createPartyViews(context);
  const contactOf = createContacts(context.reader, context.findAgent);

  async function party(id: string, role: string | null): Promise<ReceiptParty> {
    const { name, kind } = await partyView(id, role, false);
    const phone = kind === 'wallet' ? (await contactOf(id, kind)).phone_number : null;
    return { name, phone_number: phone && maskedPhone(phone) };
  }

  return async function view(
    movement: MovementDetails,
    { followUps, url, now }: { followUps: readonly FollowUpSum[]; url: string | null; now: number },
  ): Promise<Receipt> {
    const [payerRole, payeeRole] = rolesOf(movement.type);
    const [payer, payee] = await Promise.all([
      party(movement.fromAccount, payerRole),
      party(movement.toAccount, payeeRole),
    ]);
    return {
      transaction_id: movement.id,
      type: movement.type,
      amount: movement.amount,
      currency: CURRENCY,
      payer,
      payee,
      created_at: iso(movement.at),
      ...statusNow(movement.amount, followUps),
      operator: context.operatorName,
      url,
      valid_until: iso(validUntil(movement.at)),
      signed_at: iso(now),
    };
  };
}
