// From one wallet to another: by the recipient's id or phone number, or by the serial of one of its cards.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import type { GuardedAttempt } from '../../auth/pins/guarded-pins.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type CardHolder, cardHolder, cardStatusRefusal, type HeldCard, sameSerial } from '../../parties/card.ts';
import { type Holder, type HolderStatus, holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Executed } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, type Intent, sameAmount } from '../../payments/pay.ts';
import { completed, narrationOf, requestOf, type Terms } from '../../payments/reply.ts';
import type { WalletContext } from './context.ts';
import { holderPinRefusal } from './pin.ts';
import type { transferBody, transferByCardBody } from './schemas.ts';

export type Transfer = Static<typeof transferBody>;
export type TransferByCard = Static<typeof transferByCardBody>;

const TYPE = 'transfer_p2p';

/** Whom a card or a name stands for, as far as the payment needs to know. */
interface Named {
  holder: Pick<Holder, 'id'>;
  card: Pick<HeldCard, 'serial'> | null;
}

interface Parties extends Named {
  sender: Pick<HolderStatus, 'id'>;
}

/** How both stand was looked at, too. */
interface Found extends CardHolder {
  sender: HolderStatus;
}

/** What the two ways to name a recipient differ in. */
interface Way {
  action: string;
  given: { sender_id: string; pin: string; description?: string };
  /** What names the recipient, as far as two requests must agree on it. */
  named: readonly unknown[];
  findRecipient(): Promise<CardHolder | Refusal>;
  /** The same without a look at how it stands; null: there is none, or perhaps none that may be paid so. */
  presumeRecipient(): Promise<Named | null>;
}

export function transfers(context: WalletContext) {
  const { holders, cards, pins, payments, phone, pep, clock } = context;

  async function find(actor: Actor, { given, findRecipient }: Way): Promise<Found | Refusal> {
    const { sender_id } = given;
    const [sender, found, withheld] = await Promise.all([
      holders.statusById(sender_id),
      findRecipient(),
      pep.staffRefusal(actor, sender_id, 'payment'),
    ]);
    if (!sender) return noSuchSubscriber('sender');
    if (withheld) return withheld;
    if (found instanceof Refusal) return found;
    if (found.holder.id === sender.id) return refuse('SAME_ACCOUNT', 'Sender and recipient are the same.');
    return { sender, ...found };
  }

  function payment(
    actor: Actor,
    way: Way,
    terms: Terms,
    { sender, holder: recipient, card }: Parties,
    amount: number,
  ): IntendedPayment {
    const audited = { actor, action: way.action, payer: sender.id, payee: recipient.id };
    return {
      type: TYPE,
      payer: { accountId: sender.id, party: 'sender' },
      payee: { accountId: recipient.id, party: 'recipient', card: card?.serial },
      amount,
      countsDaily: true,
      narration: narrationOf(way.given.description),
      ...(card ? { details: { recipient_card_serial: card.serial } } : {}),
      reply: (done) => completed(done, terms, 'The transfer was completed.', done.payerBalance),
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  function request(actor: Actor, { given, named }: Way, terms: Terms) {
    const same = [given.sender_id, ...named, sameAmount(terms.amount), narrationOf(given.description)];
    return requestOf(actor, terms, same);
  }

  /** A right PIN says that there is a sender, since agents, who have PINs too, are called otherwise; how it stands, the ledger sees. */
  async function presume({ given, presumeRecipient }: Way, attempt: GuardedAttempt): Promise<Parties | null> {
    const { sender_id, pin } = given;
    if (!isWallet(sender_id)) return null;
    const [found] = await Promise.all([presumeRecipient(), attempt.ready()]);
    if (!found || found.holder.id === sender_id) return null;
    return attempt.isRight(pin) ? { sender: { id: sender_id }, holder: found.holder, card: found.card } : null;
  }

  function intent(actor: Actor, way: Way, terms: Terms): Intent<Found, Parties> {
    const attempt = pins.attempt(actor.caller, way.given.sender_id);
    return {
      type: TYPE,
      request: request(actor, way, terms),
      amount: terms.amount,
      // Who is staff may have to ask for more before they touch this wallet.
      ...(actor.caller.kind === 'user' ? {} : { presume: () => presume(way, attempt) }),
      find: () => find(actor, way),
      statusRefusal: (found) => holderStatusRefusal(found.sender, TYPE, 'sender') ?? recipientRefusal(found),
      end: attempt.end,
      pinRefusal: () => holderPinRefusal(attempt.verify(way.given.pin)),
      payment: (found, amount) => payment(actor, way, terms, found, amount),
    };
  }

  async function ofHolder(named: Promise<Holder | null>): Promise<CardHolder | Refusal> {
    const holder = await named;
    return holder ? { holder, card: null } : noSuchSubscriber('recipient');
  }

  /** An id names an account, which the ledger finds or misses. */
  async function presumed(id: string | undefined, number: string | null): Promise<Named | null> {
    if (id !== undefined) return isWallet(id) ? { holder: { id }, card: null } : null;
    const holder = await holders.byPhone(number ?? '');
    return holder && { holder, card: null };
  }

  async function presumedByCard(serial: string): Promise<Named | null> {
    const card = await cards.plain(serial);
    if (!card?.subscriber_id || cardStatusRefusal(card)) return null;
    return { holder: { id: card.subscriber_id }, card };
  }

  return {
    async transfer(actor: Actor, given: Transfer, terms: Terms): Promise<Executed | Refusal> {
      const { recipient_id, recipient_phone } = given;
      if ((recipient_id === undefined) === (recipient_phone === undefined)) {
        return refuse('INVALID_REQUEST', 'Exactly one of recipient_id and recipient_phone names the recipient.');
      }
      const number = recipient_phone === undefined ? null : phone(recipient_phone);
      if (recipient_phone !== undefined && number === null) {
        return refuse('INVALID_REQUEST', 'recipient_phone is not a telephone number.');
      }
      const way: Way = {
        action: 'wallet.transfer',
        given,
        named: [recipient_id ?? null, number],
        findRecipient: () => ofHolder(number === null ? holders.byId(recipient_id ?? '') : holders.byPhone(number)),
        presumeRecipient: () => presumed(recipient_id, number),
      };
      return pinFormRefusal(given.pin) ?? carryOut(payments, intent(actor, way, terms));
    },

    async transferByCard(actor: Actor, given: TransferByCard, terms: Terms): Promise<Executed | Refusal> {
      const serial = given.recipient_card_serial;
      const way: Way = {
        action: 'wallet.transfer_p2p',
        given,
        named: ['card', sameSerial(serial)],
        findRecipient: async () => cardHolder(await cards.withHolder(serial)),
        presumeRecipient: () => presumedByCard(serial),
      };
      return pinFormRefusal(given.pin) ?? carryOut(payments, intent(actor, way, terms));
    },
  };
}

/** Other accounts are paid from and into in other ways. */
function isWallet(accountId: string): boolean {
  return accountId.startsWith('sub_');
}

function recipientRefusal({ holder, card }: CardHolder): Refusal | null {
  return cardStatusRefusal(card) ?? holderStatusRefusal(holder, TYPE, 'recipient');
}
