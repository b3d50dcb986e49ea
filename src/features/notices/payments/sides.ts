// Which parties a payment or a hold tells, and in which words: a pure function.
import type { MovementType } from '../../../ledger/movement-types.ts';
import type { CommittedMovement } from '../../../ledger/queries/committed.ts';
import type { PaymentText } from '../texts/keys.ts';

export interface SideTold {
  /** The account whose owner is told. */
  accountId: string;
  counterparty: string;
  text: PaymentText;
}

type Texts = readonly [payer: PaymentText, payee: PaymentText];

const USUAL: Texts = ['sent', 'received'];

/** Types whose texts differ from the usual ones. */
const TEXTS: Partial<Record<MovementType, Texts>> = {
  agent_cashin: ['sent', 'deposited'],
  partner_cashin: ['sent', 'deposited'],
  pos_payment: ['paid', 'received'],
  wallet_withdraw: ['withdrawn', 'received'],
  pos_refund: ['sent', 'refunded'],
  recall: ['sent', 'refunded'],
  inbound_reversal: ['taken_back', 'received'],
  suspense_refund: ['taken_back', 'received'],
};

/** Both sides if both are customers; whether a party is one, and is told, is decided later. */
export function sidesTold({ kind, type, fromAccount, toAccount, purpose }: CommittedMovement): SideTold[] {
  if (kind !== 'posted') {
    const text = textOfHold(kind, purpose);
    return text ? [{ accountId: fromAccount, counterparty: toAccount, text }] : [];
  }
  const [ofPayer, ofPayee] = TEXTS[type as MovementType] ?? USUAL;
  return [
    { accountId: fromAccount, counterparty: toAccount, text: ofPayer },
    { accountId: toAccount, counterparty: fromAccount, text: ofPayee },
  ];
}

function textOfHold(kind: CommittedMovement['kind'], purpose: string | null): PaymentText | null {
  // The message with the code tells of the hold.
  if (purpose === 'cash_out_code') return kind === 'held' ? null : 'code_ended';
  if (purpose !== 'card_payment') return null;
  return kind === 'held' ? 'authorized' : 'released';
}
