// Cash-in notification: a partner reports, signed, that it took cash for a card, and the holder's wallet is credited.
import { hash } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Load } from '../../../db/batch-loader.ts';
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts';
import type { PartnerCashinConfig } from '../../../kernel/config/config.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { type latestOfSeries, seriesId } from '../../../ledger/posting/idempotency.ts';
import { SUSPENSE } from '../../../ledger/system-accounts.ts';
import {
  type CardHolder,
  type CardLookups,
  cardHolder,
  comparableSerial,
  type HeldCard,
} from '../../../parties/card.ts';
import { amountRefusal, type PartnerRow, partnerSide } from '../../../parties/partner.ts';
import { type Holders, holderStatusRefusal, walletSide } from '../../../parties/subscriber.ts';
import { dailyLimit } from '../../../payments/daily-limit.ts';
import type { Payments } from '../../../payments/execute.ts';
import {
  comparableAmount,
  type Executed,
  type IdempotencyKey,
  idempotencyKey,
  type Side,
} from '../../../payments/plan.ts';
import { type PlannedPayment, runPayment } from '../../../payments/run-payment.ts';
import type { Notification } from './schemas.ts';

export interface PartnerCashinContext {
  holders: Holders;
  cards: Pick<CardLookups, 'withHolder'>;
  findPartner: Load<string, PartnerRow | null>;
  payments: Payments;
  /** The latest accepted notification with the same body. */
  accepted: ReturnType<typeof latestOfSeries>;
  phone: PhoneReader;
  config: Pick<PartnerCashinConfig, 'partnerId' | 'replaySeconds' | 'dailyLimit'>;
  audit: AuditLog;
  clock: Clock;
}

/** The caller, and the exact bytes it sent. */
export type NotificationActor = Actor & { rawBody: Buffer };

/** The holder of the card, and the partner that owes the amount; null: the suspense account is debited. */
interface Found extends CardHolder {
  partner: PartnerRow | null;
}

export type PartnerCashin = ReturnType<typeof createPartnerCashin>;

const TYPE = 'partner_cashin';
/** One secret means one sender, so all references share a scope. */
const SCOPE = `webhook:${TYPE}`;
/** Notifications without a reference, by their body's hash. A sender cannot choose an id in this scope. */
const BODY_SCOPE = `${SCOPE}:body`;

export function createPartnerCashin(context: PartnerCashinContext) {
  const { holders, cards, findPartner, payments, accepted, phone, audit, clock } = context;
  const { partnerId, replaySeconds, dailyLimit: limit } = context.config;
  const suspenseToday = dailyLimit({ name: 'suspense', limit, clock, refusal: overSuspenseLimit });

  async function find({ card_serial }: Notification, number: string | null): Promise<Found | Refusal> {
    const [card, phoneHolder, partner] = await Promise.all([
      cards.withHolder(card_serial),
      number === null ? null : holders.byPhone(number),
      payingPartner(),
    ]);
    if (partner instanceof Refusal) return partner;
    const found = cardHolder(card);
    if (found instanceof Refusal) return refuse(found.code, found.message, { status: 400 });
    if (number !== null && phoneHolder?.id !== found.holder.id) {
      return refuse('INVALID_REQUEST', "phone_number does not belong to the card's holder.");
    }
    return { ...found, partner };
  }

  /** A misconfigured or suspended partner is the operator's fault: a 500, which the sender retries later. */
  async function payingPartner(): Promise<PartnerRow | null | Refusal> {
    if (partnerId === undefined) return null;
    const partner = await findPartner(partnerId);
    if (!partner) return unknownPartner();
    return partner.status === 'active' ? partner : suspendedPartner();
  }

  /** A copy of an accepted body within the replay window is the same notification; a later one is the next of its series. */
  async function bodyKey(rawBody: Buffer): Promise<IdempotencyKey | Executed> {
    const bodyHash = hash('sha256', rawBody);
    const latest = await accepted(BODY_SCOPE, bodyHash);
    if (latest && clock.now() - latest.at <= replaySeconds * SECOND_MS) return { json: latest.reply, replayed: true };
    return idempotencyKey(TYPE, BODY_SCOPE, seriesId(bodyHash, (latest?.number ?? 0) + 1), [bodyHash]);
  }

  return {
    /** The caller's name is the name of the secret that signed the notification. */
    async notify(
      actor: NotificationActor,
      body: Notification,
      rawAmount: number | string,
    ): Promise<Executed | Refusal> {
      const { card_serial, phone_number, reference } = body;
      const number = phone_number === undefined ? null : phone(phone_number);
      if (phone_number !== undefined && number === null) {
        return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
      }
      const details = [comparableSerial(card_serial), number, comparableAmount(rawAmount)];
      const key =
        reference === undefined ? await bodyKey(actor.rawBody) : idempotencyKey(TYPE, SCOPE, reference, details);
      if ('json' in key) return duplicate(key);
      const outcome = await runPayment(payments, {
        type: TYPE,
        actor: { ...actor, caller: { kind: 'notification', id: String(actor.caller.id) } },
        options: { amount: rawAmount, requestId: key.id },
        request: { key },
        find: () => find(body, number),
        about: (found) => [found?.holder.id],
        refusal: ({ card, holder }) => inactive(card) ?? holderStatusRefusal(holder, TYPE, 'subscriber'),
        plan: ({ holder, card, partner }, amount) =>
          (partner && amountRefusal(amount, partner)) ?? credit(actor, body, { holder, card, partner }),
      });
      return answerOf(outcome);
    },
  };

  function credit(actor: NotificationActor, { reference }: Notification, found: Found): PlannedPayment {
    const { holder, card, partner } = found;
    const payer = partner ? partnerPayer(partner) : SUSPENSE_SIDE;
    const audited = {
      ...{ actor, actorType: 'notification' as const, action: 'partner.cashin' },
      ...{ payer: payer.accountId, payee: holder.id, ...(reference === undefined ? {} : { reference }) },
    };
    return {
      payer,
      payee: { ...walletSide(holder.id, 'recipient', card?.serial), refusals: PAYEE_REFUSALS },
      reference: reference ?? null,
      details: { card_serial: card?.serial },
      ...(partner ? {} : { allowances: [suspenseToday()] }),
      reply: (receipt) => ({
        success: true,
        transaction_id: receipt.transactionId,
        message: 'The wallet was credited.',
        new_balance: receipt.payeeBalance,
      }),
      rows: (receipt) => [audit.paymentRow(audited, receipt)],
    };
  }
}

function answerOf(outcome: Executed | Refusal): Executed | Refusal {
  if (outcome instanceof Refusal) return outcome.code === 'REQUEST_CONFLICT' ? conflict() : outcome;
  return outcome.replayed ? duplicate(outcome) : outcome;
}

/** The sender must not take it for a second credit. */
function duplicate({ json, ...outcome }: Executed): Executed {
  const message = 'This cash-in was already received and credited. No money moved.';
  return { ...outcome, json: JSON.stringify({ ...JSON.parse(json), message, duplicate: true }) };
}

/** The API specification requires status 400 on this route. */
function inactive(card: HeldCard | null): Refusal | null {
  return card?.status === 'active' ? null : notActive();
}

function notActive(): Refusal {
  return refuse('CARD_BLOCKED', 'The card is not active.', { status: 400 });
}

function overSuspenseLimit(): Refusal {
  return refuse('DAILY_LIMIT_EXCEEDED', 'The amount exceeds what notifications may still credit today.');
}

function unknownPartner(): Refusal {
  return refuse('INTERNAL_ERROR', 'This webhook is not configured: its partner is unknown.');
}

function suspendedPartner(): Refusal {
  return refuse('INTERNAL_ERROR', "This webhook's partner is suspended.");
}

/** The partner may be suspended after the look-up. This must not be reported as a fault of the subscriber. */
function partnerPayer(partner: PartnerRow): Side {
  const side = partnerSide(partner);
  const refusals = { ...side.refusals, account_missing: unknownPartner, account_frozen: suspendedPartner };
  return { ...side, refusals };
}

/** Holds credits whose partner is not identified. */
const SUSPENSE_SIDE = { accountId: SUSPENSE, kind: 'suspense', party: 'sender' } as const;

/** The card may be blocked after the look-up. */
const PAYEE_REFUSALS = { card_blocked: notActive };

function conflict(): Refusal {
  return refuse('REFERENCE_CONFLICT', 'This reference was used before for a notification with different details.');
}
