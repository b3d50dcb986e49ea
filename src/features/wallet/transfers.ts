// Transfers between wallets. The recipient is identified by id, phone number or card serial.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { parseAmount } from '../../kernel/money.ts';
import { once } from '../../kernel/once.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { isSystemAccount } from '../../ledger/system-accounts.ts';
import { type CardHolder, cardHolder, cardStatusRefusal, comparableSerial } from '../../parties/card.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import {
  comparableAmount,
  completedReply,
  type Executed,
  type IdempotencyKey,
  invalidAmount,
  movementActor,
  narrationOf,
  type PaymentOptions,
  type PaymentPlan,
  requestKey,
} from '../../payments/payment.ts';
import { isRepeated } from '../../payments/replays.ts';
import { holderPinRefusal, type WalletContext } from './context.ts';
import type { transferBody, transferByCardBody } from './schemas.ts';

export type Transfer = Static<typeof transferBody>;
export type TransferByCard = Static<typeof transferByCardBody>;

const TYPE = 'transfer_p2p';

/** The recipient as identified in the request. */
interface Recipient {
  /** The part of the idempotency hash that identifies the recipient. */
  identity: readonly unknown[];
  find(): Promise<CardHolder | Refusal>;
  /** For the fast path: the wallet without its status; null if it is unknown or its card is blocked. */
  findWallet(): Promise<Wallet | null>;
}

interface Wallet {
  id: string;
  /** The card that identified it. */
  cardSerial: string | undefined;
}

type Body = Pick<Transfer, 'sender_id' | 'pin' | 'description'>;

export function createTransfers(context: WalletContext) {
  const { holders, cards, pins, payments, phone, pep, audit } = context;

  /** Replay → existence → status → PIN → amount, then the ledger: compliance, limits, balance. */
  async function send(actor: Actor, action: string, body: Body, options: PaymentOptions, to: Recipient) {
    const badPin = pinFormRefusal(body.pin);
    if (badPin) return badPin;
    const { sender_id: senderId, pin } = body;
    const narration = narrationOf(body.description);
    const details = [senderId, ...to.identity, comparableAmount(options.amount), narration];
    const key = requestKey(TYPE, actor, senderId, options.requestId, details);
    const plan = (wallet: Wallet, amount: number) =>
      planOf(actor, action, senderId, wallet, { key, amount, narration });
    const attempt = pins.attemptBySubscriber(actor.caller, senderId);
    try {
      // Staff may need access to the wallet of a PEP, which only the slow path checks.
      const fast =
        actor.caller.kind !== 'user' &&
        (await payments.tryFastPath(TYPE, options.amount, async (amount) => {
          const [wallet] = await Promise.all([to.findWallet(), attempt.ready()]);
          const isValid = wallet && wallet.id !== senderId && attempt.isRight(pin);
          return isValid ? plan(wallet, amount) : null;
        }));
      if (fast && !isRepeated(fast)) attempt.countRight();
      if (fast) return fast;
      const checkPep = pep.staffRefusal(actor, senderId, 'payment');
      const checkPin = once(() => holderPinRefusal(attempt.verify(pin)));
      const [replay, sender, recipient, pepRefusal, policy] = await Promise.all([
        payments.replay(key, async () => (await checkPep) ?? checkPin()),
        holders.statusById(senderId),
        to.find(),
        checkPep,
        payments.policy(TYPE),
      ]);
      if (replay) return replay;
      if (!sender) return noSuchSubscriber('sender');
      if (pepRefusal) return pepRefusal;
      if (recipient instanceof Refusal) return recipient;
      const { holder, card } = recipient;
      if (holder.id === senderId) return refuse('SAME_ACCOUNT', 'Sender and recipient are the same account.');
      const refusal =
        holderStatusRefusal(sender, TYPE, 'sender') ??
        cardStatusRefusal(card) ??
        holderStatusRefusal(holder, TYPE, 'recipient') ??
        (await checkPin());
      if (refusal) return refusal;
      const amount = parseAmount(options.amount);
      if (amount === null) return invalidAmount();
      return payments.execute(plan({ id: holder.id, cardSerial: card?.serial }, amount), policy);
    } finally {
      attempt.end();
    }
  }

  function planOf(
    actor: Actor,
    action: string,
    senderId: string,
    recipient: Wallet,
    { key, amount, narration }: { key: IdempotencyKey | null; amount: number; narration: string | null },
  ): PaymentPlan {
    const audited = { actor, action, payer: senderId, payee: recipient.id };
    const { cardSerial } = recipient;
    return {
      type: TYPE,
      actor: movementActor(actor),
      payer: walletSide(senderId, 'sender'),
      payee: walletSide(recipient.id, 'recipient', cardSerial),
      amount,
      key,
      narration,
      ...(cardSerial === undefined ? {} : { details: { recipient_card_serial: cardSerial } }),
      onPosted: (receipt) => ({
        reply: completedReply(receipt, key?.id ?? null, 'The transfer was completed.', receipt.payerBalance),
        rows: audit.paymentRows(audited, receipt),
      }),
    };
  }

  function byIdOrPhone(id: string | undefined, number: string | null): Recipient {
    const lookUp = () => (number === null ? holders.byId(id ?? '') : holders.byPhone(number));
    return {
      identity: [id ?? null, number],
      async find() {
        const holder: Holder | null = await lookUp();
        return holder ? { holder, card: null } : noSuchSubscriber('recipient');
      },
      async findWallet() {
        // The ledger checks that the account exists and is a wallet. A system account may be the fee leg of the movement.
        if (id !== undefined) return isSystemAccount(id) ? null : { id, cardSerial: undefined };
        const holder = await lookUp();
        return holder && { id: holder.id, cardSerial: undefined };
      },
    };
  }

  function byCard(serial: string): Recipient {
    return {
      identity: ['card', comparableSerial(serial)],
      find: async () => cardHolder(await cards.withHolder(serial)),
      async findWallet() {
        const card = await cards.plain(serial);
        return card?.subscriber_id && !cardStatusRefusal(card)
          ? { id: card.subscriber_id, cardSerial: card.serial }
          : null;
      },
    };
  }

  return {
    async transfer(actor: Actor, body: Transfer, options: PaymentOptions): Promise<Executed | Refusal> {
      const { recipient_id, recipient_phone } = body;
      if ((recipient_id === undefined) === (recipient_phone === undefined)) {
        return refuse('INVALID_REQUEST', 'Send exactly one of recipient_id and recipient_phone.');
      }
      const number = recipient_phone === undefined ? null : phone(recipient_phone);
      if (recipient_phone !== undefined && number === null) {
        return refuse('INVALID_REQUEST', 'recipient_phone is not a valid phone number.');
      }
      return send(actor, 'wallet.transfer', body, options, byIdOrPhone(recipient_id, number));
    },

    transferByCard(actor: Actor, body: TransferByCard, options: PaymentOptions): Promise<Executed | Refusal> {
      return send(actor, 'wallet.transfer_p2p', body, options, byCard(body.recipient_card_serial));
    },
  };
}
