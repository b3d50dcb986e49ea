// Inbound credit: one outcome per reference, stored with its record and its webhook event in one commit.
import type { Actor } from '../../../audit/log.ts';
import type { OutboxRow } from '../../../db/outbox-table.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { isDefect } from '../../../ledger/posting/ledger.ts';
import {
  amountRefusal,
  exposureLimitExceeded,
  type PartnerRow,
  partnerSide,
  partnerSuspended,
} from '../../../parties/partner.ts';
import { walletSide } from '../../../parties/subscriber.ts';
import type { Executed, PaymentPlan } from '../../../payments/payment.ts';
import { webhookRows } from '../../../webhooks/event.ts';
import { type Beneficiary, blockedRefusal, createBeneficiaryLookup, noSuchBeneficiary } from './beneficiary.ts';
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

/** A well-formed credit, its partner, and its beneficiary; null when none was found. */
interface PendingCredit {
  actor: Actor;
  credit: Credit;
  partner: PartnerRow;
  beneficiary: Beneficiary | null;
  inboundId: string;
}

export function createCredit(context: InboundContext) {
  const { audit, payments, books, findPartner, webhooks, refs, enquiryLimit, clock, report } = context;
  const find = createBeneficiaryLookup(context);

  /** Replay → existence → status → token → currency → amount, then the ledger: compliance, limits, outstanding limit. */
  return async function credit(actor: Actor, request: CreditRequest): Promise<Executed | Refusal> {
    const read = readCredit(request);
    if (read instanceof Refusal) return read;
    const [found, partner] = await Promise.all([find(read.identifier), partnerOf(findPartner, read.partnerId)]);
    const pending = { actor, credit: read, partner, inboundId: newId('inb', clock) };
    const refusal = found instanceof Refusal ? found : refusalOf(read, found, partner);
    // The ledger itself replays a repeated reference. Without the ledger, the reference is looked up first.
    if (partner.status === 'active' && !(found instanceof Refusal) && !refusal) {
      return execute({ ...pending, beneficiary: found }, found);
    }
    const replay = await payments.replay(read.key);
    if (replay) return withReferenceConflict(read, replay);
    if (partner.status !== 'active' || !refusal) return partnerSuspended();
    const beneficiary = found instanceof Refusal ? null : found;
    const tooMany = termsRefusal(read, partner) && (await enquiryLimit.asEnquiry(partner.id, beneficiary !== null));
    if (tooMany) return tooMany;
    return storeFailure({ ...pending, beneficiary }, { status: 'REJECTED', refusal });
  };

  function refusalOf(credit: Credit, beneficiary: Beneficiary, partner: PartnerRow): Refusal | null {
    return blockedRefusal(beneficiary) ?? tokenRefusal(credit, beneficiary) ?? termsRefusal(credit, partner);
  }

  function tokenRefusal({ partnerId, beneficiaryRef }: Credit, { holder }: Beneficiary): Refusal | null {
    const fault = beneficiaryRef === null ? null : refs.faultOf(beneficiaryRef, { partnerId, subscriberId: holder.id });
    return fault === null ? null : refuse('BENEFICIARY_MISMATCH', `beneficiary_ref ${fault}.`);
  }

  async function execute(pending: PendingCredit, beneficiary: Beneficiary): Promise<Executed | Refusal> {
    let outcome: Executed | Refusal;
    try {
      outcome = await payments.execute(planOf(pending, beneficiary), await payments.policy(INBOUND_CREDIT));
    } catch (error) {
      // A credit that may have been posted, or may succeed on a retry, is not recorded as failed.
      if (!isDefect(error)) throw error;
      report('an inbound credit failed', { error, inboundId: pending.inboundId, partnerId: pending.partner.id });
      const sentence = 'The credit failed and no money moved. Use a new reference to try again.';
      return storeFailure(pending, { status: 'FAILED', refusal: refuse('PROCESSING_FAILED', sentence) });
    }
    if (!(outcome instanceof Refusal)) return notified(pending.partner, outcome);
    // The partner was suspended after the look-up: its key no longer works, and nothing is stored.
    if (outcome.code === 'PARTNER_SUSPENDED') return outcome;
    if (outcome.code === 'REQUEST_CONFLICT') return referenceConflict(pending.credit.reference);
    // An amount that no account can hold is refused before it reaches the ledger.
    return storeFailure(pending, { status: 'REJECTED', refusal: outcome });
  }

  function planOf(pending: PendingCredit, { holder, card }: Beneficiary): PaymentPlan {
    const { actor, credit, partner, inboundId } = pending;
    const { reference } = credit;
    const audited = { actor, action: 'inbound.credit', payer: partner.id, payee: holder.id, reference };
    return {
      type: INBOUND_CREDIT,
      actor: { type: 'key', id: credit.keyId },
      payer: { ...partnerSide(partner), refusals: PARTNER_REFUSALS, retryWhenFrozen: true },
      payee: { ...walletSide(holder.id, 'recipient', card?.serial), refusals: BENEFICIARY_REFUSALS },
      amount: credit.amount,
      key: credit.key,
      reference,
      narration: credit.narration,
      metadata: credit.metadata,
      details: { inbound_id: inboundId },
      onPosted(receipt) {
        const { at, payerBalance, transactionId } = receipt;
        const row = recordRow(pending, { at, clearingBalance: payerBalance, transactionId });
        return {
          reply: completedReply(row),
          rows: [...outboxRows(pending, row), audit.paymentRow(audited, receipt)],
        };
      },
      onRefused(refusal, at, payerBalance) {
        const failure: Failure = { status: 'REJECTED', refusal };
        const row = recordRow(pending, { at, clearingBalance: payerBalance, failure });
        return { reply: failedReply(reference, failure), rows: outboxRows(pending, row) };
      },
    };
  }

  function recordRow(
    { credit, beneficiary, inboundId }: PendingCredit,
    outcome: Omit<CreditOutcome, 'inboundId'>,
  ): InboundRow {
    return rowOf(credit, beneficiary, { inboundId, ...outcome });
  }

  function outboxRows({ partner }: PendingCredit, row: InboundRow): OutboxRow[] {
    return [{ table: INBOUND_TRANSACTIONS, row }, ...webhookRows(eventOf(row, partner), clock)];
  }

  /** A refusal decided without the ledger: record, event and reply are stored in one commit. */
  async function storeFailure(pending: PendingCredit, failure: Failure): Promise<Executed | Refusal> {
    const { credit, partner } = pending;
    const clearing = await books.balance(partner.id);
    const outcome = await payments.storeRefusal({
      type: INBOUND_CREDIT,
      actor: { type: 'key', id: credit.keyId },
      key: credit.key,
      amount: credit.amount,
      record(at) {
        const row = recordRow(pending, { at, clearingBalance: clearing?.balance ?? 0, failure });
        return { reply: failedReply(credit.reference, failure), rows: outboxRows(pending, row) };
      },
    });
    // If a concurrent request with the same reference was answered first, its outcome counts.
    if (outcome instanceof Refusal) return referenceConflict(credit.reference);
    return notified(partner, outcome);
  }

  function notified({ webhook_url }: PartnerRow, outcome: Executed): Executed {
    if (webhook_url !== null && !outcome.replayed) webhooks.wake();
    return outcome;
  }
}

function withReferenceConflict({ reference }: Credit, replay: Executed | Refusal): Executed | Refusal {
  return replay instanceof Refusal ? referenceConflict(reference) : replay;
}

/** No beneficiary could get such a credit, so that it is limited like an enquiry: it would tell who exists. */
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
