// Takes a partner's word, signed, that it holds cash for a card, and credits the holder's wallet.
import type { Load } from '../../../db/batch-loader.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { SUSPENSE } from '../../../ledger/system-accounts.ts';
import { type CardHolder, type CardLookups, cardHolder, type HeldCard, sameSerial } from '../../../parties/card.ts';
import type { FundingPartner } from '../../../parties/partner.ts';
import { type Holders, holderStatusRefusal } from '../../../parties/subscriber.ts';
import type { Executed, Payment, PaymentRequest, Payments } from '../../../payments/execute.ts';
import { carryOut, sameAmount } from '../../../payments/pay.ts';
import type { Notification } from './schemas.ts';

export interface PartnerCashinParts {
  holders: Holders;
  cards: CardLookups;
  findPartner: Load<string, FundingPartner | null>;
  payments: Payments;
  phone: PhoneReader;
  /** Who owes what is notified; unset: nobody in particular, and it stands in suspense until it is known. */
  partnerId: string | undefined;
}

export type PartnerCashin = ReturnType<typeof createPartnerCashin>;

const TYPE = 'partner_cashin';
/** One secret, and so one sender: its references are the only ones there are. */
const SCOPE = `webhook:${TYPE}`;

export function createPartnerCashin(context: PartnerCashinParts) {
  const { holders, cards, findPartner, payments, phone, partnerId } = context;

  async function find({ card_serial }: Notification, number: string | null): Promise<CardHolder | Refusal> {
    const [card, named, fault] = await Promise.all([
      cards.withHolder(card_serial),
      number === null ? null : holders.byPhone(number),
      payerFault(),
    ]);
    if (fault) return fault;
    const found = cardHolder(card);
    if (found instanceof Refusal) return refuse(found.code, found.message, { status: 400 });
    if (number !== null && named?.id !== found.holder.id) {
      return refuse('INVALID_REQUEST', 'phone_number is not that of the subscriber who holds the card.');
    }
    return found;
  }

  /** What only the operator can mend is the service's failure, and worth another try later. */
  async function payerFault(): Promise<Refusal | null> {
    if (partnerId === undefined) return null;
    const partner = await findPartner(partnerId);
    if (!partner) return unknownPartner();
    return partner.status === 'active' ? null : suspendedPartner();
  }

  function payment(given: Notification, request: PaymentRequest | null, found: CardHolder, amount: number): Payment {
    return {
      type: TYPE,
      payer: { accountId: partnerId ?? SUSPENSE, party: 'sender', mayPass: { floor: true }, refusals: PAYER_REFUSALS },
      payee: { accountId: found.holder.id, party: 'recipient', card: found.card?.serial, refusals: PAYEE_REFUSALS },
      amount,
      countsDaily: false,
      request,
      reference: given.reference ?? null,
      details: { card_serial: found.card?.serial },
      reply: (done) => ({
        success: true,
        transaction_id: done.transactionId,
        message: 'The wallet was credited.',
        new_balance: done.payeeBalance,
      }),
    };
  }

  return {
    async notify(given: Notification, amount: number | string): Promise<Executed | Refusal> {
      const number = given.phone_number === undefined ? null : phone(given.phone_number);
      if (given.phone_number !== undefined && number === null) {
        return refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
      }
      const request = requestOf(given, number, amount);
      const outcome = await carryOut(payments, {
        type: TYPE,
        request,
        amount,
        find: () => find(given, number),
        statusRefusal: ({ card, holder }) => inactive(card) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
        payment: (found, checked) => payment(given, request, found, checked),
      });
      return outcome instanceof Refusal && outcome.code === 'REQUEST_CONFLICT' ? conflict() : outcome;
    },
  };
}

function requestOf(given: Notification, number: string | null, amount: number | string): PaymentRequest | null {
  const { reference, card_serial } = given;
  if (reference === undefined) return null;
  const serial = sameSerial(card_serial);
  return { scope: SCOPE, id: reference, same: [serial, number, sameAmount(amount)] };
}

/** 400, as the interface has it for this route. */
function inactive(card: HeldCard | null): Refusal | null {
  return card?.status === 'active' ? null : notActive();
}

function notActive(): Refusal {
  return refuse('CARD_BLOCKED', 'The card is not active.', { status: 400 });
}

function unknownPartner(): Refusal {
  return refuse('INTERNAL_ERROR', 'This webhook is not configured: its partner is unknown.');
}

function suspendedPartner(): Refusal {
  return refuse('INTERNAL_ERROR', 'The partner it is charged to is suspended.');
}

/** Whom it is charged to may be suspended after the look-up: never to be told as something about the subscriber. */
const PAYER_REFUSALS = { account_missing: unknownPartner, account_frozen: suspendedPartner };

/** So may the card be blocked. */
const PAYEE_REFUSALS = { barred: notActive };

function conflict(): Refusal {
  return refuse('REFERENCE_CONFLICT', 'This reference was used before for a notification with other details.');
}
