// Transfers between wallets. The recipient is identified by id, phone number or card serial.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { once } from '../../kernel/once.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import {
  cardHolder,
  cardStatusRefusal,
  comparableSerial,
  isLinked,
  PLAIN_CARDS,
  type PlainCard,
} from '../../parties/card.ts';
import { holderPin } from '../../parties/holder-pin.ts';
import {
  HOLDERS_BY_PHONE,
  type Holder,
  type HolderStatus,
  holderStatusRefusal,
  noSuchSubscriber,
  walletSide,
} from '../../parties/subscriber.ts';
import { completedReply, type Executed, type PaymentOptions } from '../../payments/plan.ts';
import { type QuotedTerms, totalsOfTerms, withinTerms } from '../../payments/quoted-terms.ts';
import { type FastSteps, type PlannedPayment, runPayment } from '../../payments/run-payment.ts';
import type { WalletContext } from './context.ts';
import type { transferBody, transferByCardBody } from './schemas.ts';

export type Transfer = Static<typeof transferBody>;
export type TransferByCard = Static<typeof transferByCardBody>;

const TYPE = 'transfer_p2p';

/** The recipient as identified in the request. */
interface Recipient {
  /** The part of the idempotency hash that identifies the recipient. */
  identity: readonly unknown[];
  /** A number that the sender entered: it can be mistyped, and the transfer recalled. */
  byNumber?: true;
  find(): Promise<Wallet | Refusal>;
  /** The wallet without its holder's status. */
  fast: FastSteps<Wallet>;
}

interface Wallet {
  id: string;
  /** Null: the ledger checks it. */
  holder: HolderStatus | null;
  /** The card that identified it. */
  card: PlainCard | null;
}

interface Parties {
  /** Null: the ledger checks it. */
  sender: HolderStatus | null;
  recipient: Wallet;
}

function walletOf(holder: Holder | null): Wallet | null {
  return holder && { id: holder.id, holder, card: null };
}

type Body = Pick<Transfer, 'sender_id' | 'pin' | 'description'>;

/** A transfer whose recipient and price the sender was shown. */
export interface QuotedTransfer {
  senderId: string;
  recipientId: string;
  amount: number;
  pin: string;
  requestId: string;
  terms: QuotedTerms;
}

export function createTransfers(context: WalletContext) {
  const { holders, cards, pins, payments, phone, pep, audit } = context;

  function send(actor: Actor, action: string, body: Body, options: PaymentOptions, to: Recipient, terms?: QuotedTerms) {
    const { sender_id: senderId, description } = body;
    const checkPep = once(async () => pep.staffRefusal(actor, senderId, 'payment'));
    const pin = holderPin(pins, actor.caller, senderId, body.pin);
    return runPayment<Parties>(payments, {
      type: TYPE,
      actor,
      options,
      request: terms ?? { party: senderId, details: [senderId, ...to.identity] },
      description,
      mayAct: async () =>
        (await checkPep()) ?? ((await holders.statusById(senderId)) ? pin.refusal() : noSuchSubscriber('sender')),
      pin,
      async find() {
        const [sender, recipient, notPermitted] = await Promise.all([
          holders.statusById(senderId),
          to.find(),
          checkPep(),
        ]);
        if (!sender) return noSuchSubscriber('sender');
        if (notPermitted) return notPermitted;
        return recipient instanceof Refusal ? recipient : { sender, recipient };
      },
      // Not the recipient: what the sender lacks is none of their business.
      about: () => [senderId],
      // Staff may need access to the wallet of a PEP, which only the careful path checks.
      ...(actor.caller.kind === 'user'
        ? {}
        : { fast: { ...fastSteps(senderId, to), allowanceIds: totalsOfTerms(terms) } }),
      refusal: ({ sender, recipient: { id, holder, card } }) =>
        (id === senderId ? refuse('SAME_ACCOUNT', 'Sender and recipient are the same account.') : null) ??
        (sender && holderStatusRefusal(sender, TYPE, 'sender')) ??
        cardStatusRefusal(card) ??
        (holder && holderStatusRefusal(holder, TYPE, 'recipient')),
      plan: ({ recipient: { id, card } }) =>
        withinTerms<PlannedPayment>(
          {
            payer: walletSide(senderId, 'sender'),
            payee: walletSide(id, 'recipient', card?.serial),
            ...detailsOf(to, card),
            reply: (receipt) =>
              completedReply(receipt, options.requestId, 'The transfer was completed.', receipt.payerBalance),
            rows: (receipt) => audit.paymentRows({ actor, action, payer: senderId, payee: id }, receipt),
          },
          terms,
        ),
    });
  }

  function fastSteps(senderId: string, { fast }: Recipient): FastSteps<Parties> {
    return {
      ...fast,
      accountIds: [senderId, ...fast.accountIds],
      find(rows) {
        const recipient = fast.find(rows);
        return recipient === null || recipient instanceof Refusal ? recipient : { sender: null, recipient };
      },
    };
  }

  function byId(id: string): Recipient {
    return {
      identity: [id, null],
      find: async () => walletOf(await holders.byId(id)) ?? noSuchSubscriber('recipient'),
      fast: {
        accountIds: [id],
        reads: [],
        // The ledger checks that the account exists and is a wallet.
        find: () => ({ id, holder: null, card: null }),
      },
    };
  }

  function byPhone(number: string): Recipient {
    const read = { lookup: HOLDERS_BY_PHONE, key: number };
    return {
      identity: [null, number],
      byNumber: true,
      find: async () => walletOf(await holders.byPhone(number)) ?? noSuchSubscriber('recipient'),
      fast: { accountIds: [], reads: [read], find: (rows) => walletOf(rows.get(read)) },
    };
  }

  function byCard(serial: string): Recipient {
    const read = { lookup: PLAIN_CARDS, key: comparableSerial(serial) };
    return {
      identity: ['card', read.key],
      async find() {
        const found = cardHolder(await cards.withHolder(serial));
        return found instanceof Refusal ? found : { id: found.holder.id, ...found };
      },
      fast: {
        accountIds: [],
        reads: [read],
        find(rows) {
          const card = rows.get(read);
          return card && isLinked(card) ? { id: card.subscriber_id, holder: null, card } : null;
        },
      },
    };
  }

  return {
    async transfer(actor: Actor, body: Transfer, options: PaymentOptions): Promise<Executed | Refusal> {
      const { recipient_id, recipient_phone } = body;
      if ((recipient_id === undefined) === (recipient_phone === undefined)) {
        return refuse('INVALID_REQUEST', 'Send exactly one of recipient_id and recipient_phone.');
      }
      if (recipient_id !== undefined) return send(actor, 'wallet.transfer', body, options, byId(recipient_id));
      const number = phone(recipient_phone ?? '');
      if (number === null) return refuse('INVALID_REQUEST', 'recipient_phone is not a valid phone number.');
      return send(actor, 'wallet.transfer', body, options, byPhone(number));
    },

    /** The customer confirms a quote, for which they entered a phone number or an account number. */
    transferAsQuoted(actor: Actor, transfer: QuotedTransfer): Promise<Executed | Refusal> {
      const { senderId, recipientId, amount, pin, requestId, terms } = transfer;
      const body = { sender_id: senderId, pin };
      const recipient: Recipient = { ...byId(recipientId), byNumber: true };
      return send(actor, 'wallet.transfer', body, { amount, requestId }, recipient, terms);
    },

    transferByCard(actor: Actor, body: TransferByCard, options: PaymentOptions): Promise<Executed | Refusal> {
      return send(actor, 'wallet.transfer_p2p', body, options, byCard(body.recipient_card_serial));
    },
  };
}

function detailsOf({ byNumber }: Recipient, card: PlainCard | null) {
  if (card) return { details: { recipient_card_serial: card.serial } };
  return byNumber ? { details: { addressed_by: 'number' } } : {};
}
