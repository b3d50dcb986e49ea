// Inbound credit: one outcome per reference, stored with its record and its webhook event in one commit.
import type { Actor } from '../../../audit/log.ts';
import type { OutboxRow } from '../../../db/outbox-table.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { isDefect } from '../../../ledger/posting/ledger.ts';
import {
  amountRefusal,
  exposureLimitExceeded,
  PARTNERS,
  type PartnerRow,
  partnerSide,
  partnerSuspended,
} from '../../../parties/partner.ts';
import { walletSide } from '../../../parties/subscriber.ts';
import type { Executed, Receipt } from '../../../payments/plan.ts';
import { type FastSteps, type PlannedPayment, runPayment } from '../../../payments/run-payment.ts';
import { hasWebhooks, webhookRows } from '../../../webhooks/event.ts';
import {
  type Beneficiary,
  beneficiaryIn,
  blockedRefusal,
  createBeneficiaryLookup,
  noSuchBeneficiary,
} from './beneficiary.ts';
import { type InboundContext, partnerOf } from './context.ts';
import { type Credit, type CreditRequest, currencyRefusal, INBOUND_CREDIT, readCredit } from './input.ts';
import {
  type CreditOutcome,
  completedReply,
  eventOf,
  type Failure,
  failedReply,
  type InboundRow,
  referenceConflict,
  rowOf,
} from './record.ts';
import { INBOUND_TRANSACTIONS } from './store.ts';

/** A well-formed credit, with its parties as soon as they have been read. */
interface PendingCredit {
  actor: Actor;
  credit: Credit;
  parties: Parties | null;
  inboundId: string;
}

interface Parties {
  partner: PartnerRow;
  /** A refusal if there is none. */
  found: Beneficiary | Refusal;
}

/** The partner, and the beneficiary that is credited. */
interface Creditable {
  partner: PartnerRow;
  beneficiary: Beneficiary;
}

export function createCredit(context: InboundContext) {
  const { audit, payments, books, findPartner, webhooks, refs, enquiryLimit, clock, report } = context;
  const findBeneficiary = createBeneficiaryLookup(context);

  return async function credit(actor: Actor, request: CreditRequest): Promise<Executed | Refusal> {
    const read = readCredit(request);
    if (read instanceof Refusal) return read;
    const pending = { actor, credit: read, parties: null, inboundId: newId('inb', clock) };
    return recorded(pending, () => run(pending));
  };

  function run(pending: PendingCredit): Promise<Executed | Refusal> {
    const { actor, credit } = pending;
    return runPayment<Creditable>(payments, {
      type: INBOUND_CREDIT,
      actor,
      options: { amount: credit.amount, requestId: credit.reference },
      request: { key: credit.key },
      find: async () => creditable(pending, await readParties(credit)),
      about: (found) => [found?.beneficiary.holder.id],
      fast: fastSteps(pending),
      refusal: ({ partner, beneficiary }) =>
        blockedRefusal(beneficiary) ?? tokenRefusal(credit, beneficiary) ?? termsRefusal(credit, partner),
      plan: ({ partner, beneficiary }) => planOf(pending, partner, beneficiary),
    });
  }

  async function readParties({ identifier, partnerId }: Credit): Promise<Parties> {
    const [found, partner] = await Promise.all([findBeneficiary(identifier), partnerOf(findPartner, partnerId)]);
    return { partner, found };
  }

  function fastSteps(pending: PendingCredit): FastSteps<Creditable> {
    const { identifier, partnerId } = pending.credit;
    const ofPartner = { lookup: PARTNERS, key: partnerId };
    const { read, find } = beneficiaryIn(identifier);
    return {
      accountIds: [partnerId],
      reads: [ofPartner, read],
      find(rows) {
        const partner = rows.get(ofPartner);
        return partner && creditable(pending, { partner, found: find(rows) });
      },
    };
  }

  function creditable(pending: PendingCredit, parties: Parties): Creditable | Refusal {
    pending.parties = parties;
    const { partner, found } = parties;
    if (partner.status !== 'active') return partnerSuspended();
    return found instanceof Refusal ? found : { partner, beneficiary: found };
  }

  /** Records a credit that was refused before it reached the ledger, or that failed. */
  async function recorded(pending: PendingCredit, credit: () => Promise<Executed | Refusal>) {
    let outcome: Executed | Refusal;
    try {
      outcome = await credit();
    } catch (error) {
      // A credit that may have been posted, or may succeed on a retry, is not recorded as failed.
      if (!isDefect(error)) throw error;
      report('an inbound credit failed', { error, inboundId: pending.inboundId, partnerId: pending.credit.partnerId });
      const sentence = 'The credit failed and no money moved. Use a new reference to try again.';
      return storeFailure(pending, { status: 'FAILED', refusal: refuse('PROCESSING_FAILED', sentence) });
    }
    if (!(outcome instanceof Refusal)) {
      // A retry of a refused credit reveals nothing new.
      if (outcome.refused && !outcome.replayed) await asEnquiry(pending, outcome.refused);
      return notified(pending, outcome);
    }
    // The key of a suspended partner does not work, and nothing is stored.
    if (outcome.code === 'PARTNER_SUSPENDED') return outcome;
    if (outcome.code === 'REQUEST_CONFLICT') return referenceConflict(pending.credit.reference);
    return (await asEnquiry(pending, outcome)) ?? storeFailure(pending, { status: 'REJECTED', refusal: outcome });
  }

  /** A refused credit tells who exists, and counts as an enquiry. Only one that nobody could get is limited like one. */
  async function asEnquiry(pending: PendingCredit, refused: Refusal): Promise<Refusal | null> {
    const { credit, parties } = pending;
    const customer = beneficiaryOf(pending)?.holder.id ?? null;
    const isForOther = credit.beneficiaryRef !== null && OTHER_BENEFICIARY.includes(refused.code);
    const isForNobody = isForOther || (parties && termsRefusal(credit, parties.partner));
    if (isForNobody) return enquiryLimit.asEnquiry(credit.partnerId, customer);
    await enquiryLimit.count(credit.partnerId, customer);
    return null;
  }

  function tokenRefusal({ partnerId, beneficiaryRef }: Credit, { holder }: Beneficiary): Refusal | null {
    const fault = beneficiaryRef === null ? null : refs.faultOf(beneficiaryRef, { partnerId, subscriberId: holder.id });
    return fault === null ? null : refuse('BENEFICIARY_MISMATCH', `beneficiary_ref ${fault}.`);
  }

  function planOf(pending: PendingCredit, partner: PartnerRow, { holder, card }: Beneficiary): PlannedPayment {
    const { actor, credit, inboundId } = pending;
    const { reference, narration, metadata } = credit;
    const audited = { actor, action: 'inbound.credit', payer: partner.id, payee: holder.id, reference };
    const posted = ({ at, payerBalance, transactionId }: Receipt) =>
      recordRow(pending, { at, clearingBalance: payerBalance, transactionId });
    return {
      payer: { ...partnerSide(partner), refusals: PARTNER_REFUSALS, retryWhenFrozen: true },
      payee: { ...walletSide(holder.id, 'recipient', card?.serial), refusals: BENEFICIARY_REFUSALS },
      reference,
      narration,
      metadata,
      details: { inbound_id: inboundId },
      reply: (receipt) => completedReply(posted(receipt)),
      rows: (receipt) => [...outboxRows(partner, posted(receipt)), audit.paymentRow(audited, receipt)],
      onRefused(refusal, at, payerBalance) {
        const failure: Failure = { status: 'REJECTED', refusal };
        const row = recordRow(pending, { at, clearingBalance: payerBalance, failure });
        return { reply: failedReply(reference, failure), rows: outboxRows(partner, row) };
      },
    };
  }

  function recordRow(pending: PendingCredit, outcome: Omit<CreditOutcome, 'inboundId'>): InboundRow {
    const { credit, inboundId } = pending;
    return rowOf(credit, beneficiaryOf(pending), { inboundId, ...outcome });
  }

  function outboxRows(partner: PartnerRow, row: InboundRow): OutboxRow[] {
    return [{ table: INBOUND_TRANSACTIONS, row }, ...webhookRows(eventOf(row, partner), clock)];
  }

  /** A refusal decided without the ledger: record, event and reply are stored in one commit. */
  async function storeFailure(pending: PendingCredit, failure: Failure): Promise<Executed | Refusal> {
    const { credit } = pending;
    pending.parties ??= await readParties(credit);
    const { partner } = pending.parties;
    const clearing = await books.balance(partner.id);
    const outcome = await payments.storeRefusal({
      type: INBOUND_CREDIT,
      actor: { type: 'key', id: credit.keyId },
      key: credit.key,
      amount: credit.amount,
      record(at) {
        const row = recordRow(pending, { at, clearingBalance: clearing?.balance ?? 0, failure });
        return { reply: failedReply(credit.reference, failure), rows: outboxRows(partner, row) };
      },
    });
    // If a concurrent request with the same reference was answered first, its outcome counts.
    if (outcome instanceof Refusal) return referenceConflict(credit.reference);
    return notified(pending, outcome);
  }

  function notified({ parties }: PendingCredit, outcome: Executed): Executed {
    if (parties && hasWebhooks(parties.partner) && !outcome.replayed) webhooks.wake();
    return outcome;
  }
}

function beneficiaryOf({ parties }: PendingCredit): Beneficiary | null {
  return parties === null || parties.found instanceof Refusal ? null : parties.found;
}

/** With a beneficiary_ref: it is not the account's, so that nobody can get the credit. */
const OTHER_BENEFICIARY = ['BENEFICIARY_MISMATCH', 'BENEFICIARY_NOT_FOUND'];

/** No beneficiary could get such a credit. */
function termsRefusal({ currency, amount }: Credit, partner: PartnerRow): Refusal | null {
  return currencyRefusal(currency) ?? amountRefusal(amount, partner);
}

/** A partner without a clearing account may owe nothing. */
const PARTNER_REFUSALS = {
  account_missing: exposureLimitExceeded,
  account_frozen: partnerSuspended,
  floor: exposureLimitExceeded,
};

function blocked(): Refusal {
  return refuse('BENEFICIARY_BLOCKED', 'The beneficiary cannot be credited.');
}

const BENEFICIARY_REFUSALS = {
  account_missing: noSuchBeneficiary,
  account_frozen: blocked,
  type_disabled: blocked,
  card_blocked: blocked,
};
