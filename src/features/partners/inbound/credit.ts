// Credits a wallet on a partner's word: one outcome for each reference, kept with its record and its event in one commit.
import { newId } from '../../../kernel/ids.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { isDefect } from '../../../ledger/posting/ledger.ts';
import { exposureLimitExceeded, type PartnerRow } from '../../../parties/partner.ts';
import type { Done, Executed, Payment } from '../../../payments/execute.ts';
import { enqueueWebhook, webhookRows } from '../../../webhooks/event.ts';
import { type Beneficiary, beneficiaries, blockedRefusal, noBeneficiary } from './beneficiary.ts';
import { type InboundContext, partnerOf } from './context.ts';
import { type Credit, type CreditRequest, currencyRefusal, readCredit, TYPE } from './input.ts';
import {
  completedReply,
  type Ending,
  eventOf,
  type Failure,
  failedReply,
  type InboundRow,
  referenceConflict,
  rowOf,
} from './record.ts';
import { insertRecord } from './store.ts';

/** A well-formed credit, who sent it, and who was found; nobody where that is why it is refused. */
interface Case {
  credit: Credit;
  partner: PartnerRow;
  beneficiary: Beneficiary | null;
  inboundId: string;
}

/** Version 1 charges nothing for inbound credits, so that no fee settings need be read. */
const NO_FEES: [] = [];

export function crediting(context: InboundContext) {
  const { database, payments, books, findPartner, webhooks, refs, clock, report } = context;
  const find = beneficiaries(context);

  /** Replay → existence → status → token → currency → amount; then compliance, limits and what the partner may owe. */
  return async function credit(asked: CreditRequest): Promise<Executed | Refusal> {
    const read = readCredit(asked);
    if (read instanceof Refusal) return read;
    const [found, partner] = await Promise.all([find(read.identifier), partnerOf(findPartner, read.partnerId)]);
    const here = { credit: read, partner, inboundId: newId('inb', clock) };
    const refusal = found instanceof Refusal ? found : refusalOf(read, found, partner);
    // Whether it was answered before, the ledger sees; where it is not asked, that still comes first.
    if (partner.status === 'active' && !(found instanceof Refusal) && !refusal) {
      return carryOut({ ...here, beneficiary: found }, found);
    }
    const before = await payments.replay(TYPE, read.request);
    if (before) return byReference(read, before);
    if (partner.status !== 'active' || !refusal) return suspended();
    const beneficiary = found instanceof Refusal ? null : found;
    return keep({ ...here, beneficiary }, { status: 'REJECTED', refusal });
  };

  function refusalOf(credit: Credit, beneficiary: Beneficiary, partner: PartnerRow): Refusal | null {
    return blockedRefusal(beneficiary) ?? tokenRefusal(credit, beneficiary) ?? termsRefusal(credit, partner);
  }

  function tokenRefusal({ partnerId, beneficiaryRef }: Credit, { holder }: Beneficiary): Refusal | null {
    const fault = beneficiaryRef === null ? null : refs.faultOf(beneficiaryRef, { partnerId, subscriberId: holder.id });
    return fault === null ? null : refuse('BENEFICIARY_MISMATCH', `beneficiary_ref ${fault}.`);
  }

  async function carryOut(here: Case, beneficiary: Beneficiary): Promise<Executed | Refusal> {
    let outcome: Executed | Refusal;
    try {
      outcome = await payments.execute(paymentOf(here, beneficiary), NO_FEES);
    } catch (error) {
      // What may have happened, or may succeed when it is sent again, is not called failed.
      if (!isDefect(error)) throw error;
      report('an inbound credit failed', { error, inboundId: here.inboundId, partnerId: here.partner.id });
      const sentence = 'The credit could not be carried out. Nothing moved; a new reference is a new transfer.';
      return keep(here, { status: 'FAILED', refusal: refuse('PROCESSING_FAILED', sentence) });
    }
    if (!(outcome instanceof Refusal)) return told(here.partner, outcome);
    // The partner was suspended meanwhile: as its key is from now on, and nothing is kept of it.
    if (outcome.code === 'UNAUTHORIZED') return outcome;
    // What no account can hold is refused before the ledger is asked.
    return outcome.code === 'REQUEST_CONFLICT'
      ? referenceConflict(here.credit.reference)
      : keep(here, { status: 'REJECTED', refusal: outcome });
  }

  function paymentOf(here: Case, { holder, card }: Beneficiary): Payment {
    const { credit, partner, inboundId } = here;
    const completed = ({ at, payerBalance, transactionId }: Done) =>
      rowAt(here, { at, clearingBalance: payerBalance, transactionId });
    return {
      type: TYPE,
      payer: { accountId: partner.id, party: 'sender', refusals: PARTNER_REFUSALS, forgetsFrozen: true },
      payee: { accountId: holder.id, party: 'recipient', card: card?.serial, refusals: BENEFICIARY_REFUSALS },
      amount: credit.amount,
      countsDaily: false,
      request: credit.request,
      reference: credit.reference,
      narration: credit.narration,
      metadata: credit.metadata,
      details: { inbound_id: inboundId },
      reply: (done) => completedReply(completed(done)),
      beside: (done) => rowsBeside(here, completed(done)),
      refused(refusal, at, payerBalance) {
        const failure: Failure = { status: 'REJECTED', refusal };
        const row = rowAt(here, { at, clearingBalance: payerBalance, failure });
        return { reply: failedReply(credit.reference, failure), beside: rowsBeside(here, row) };
      },
    };
  }

  function rowAt({ credit, beneficiary, inboundId }: Case, ending: Omit<Ending, 'inboundId'>): InboundRow {
    return rowOf(credit, beneficiary, { inboundId, ...ending });
  }

  function rowsBeside({ partner }: Case, row: InboundRow) {
    return [{ table: 'inbound_transactions', row }, ...webhookRows(eventOf(row, partner), clock)];
  }

  /** A refusal that the ledger had no part in: record, event and answer in a transaction of their own. */
  async function keep(here: Case, failure: Failure): Promise<Executed | Refusal> {
    const { credit, partner } = here;
    const clearing = await books.balance(partner.id);
    const row = rowAt(here, { at: clock.now(), clearingBalance: clearing?.balance ?? 0, failure });
    const json = JSON.stringify(failedReply(credit.reference, failure));
    const kept = await database.transact(async (trx) => {
      if (!(await payments.remember(trx, TYPE, credit.request, json))) return false;
      await insertRecord(trx, row);
      await enqueueWebhook(trx, eventOf(row, partner), clock);
      return true;
    });
    if (kept) return told(partner, { json, replayed: false });
    // The same reference raced on another way, and its outcome is the one that counts.
    const before = await payments.replay(TYPE, credit.request);
    if (!before) throw new Error(`the outcome of ${credit.reference} was there and is not found`);
    return byReference(credit, before);
  }

  function told({ webhook_url }: PartnerRow, outcome: Executed): Executed {
    if (webhook_url !== null && !outcome.replayed) webhooks.wake();
    return outcome;
  }
}

function byReference({ reference }: Credit, before: Executed | Refusal): Executed | Refusal {
  return before instanceof Refusal ? referenceConflict(reference) : before;
}

function termsRefusal({ currency, amount }: Credit, { min_amount, max_amount }: PartnerRow): Refusal | null {
  const mismatch = currencyRefusal(currency);
  if (mismatch || (amount >= min_amount && amount <= max_amount)) return mismatch;
  return refuse('AMOUNT_OUT_OF_RANGE', `amount must be from ${min_amount} to ${max_amount} minor units.`);
}

/** In the words its key is refused with: the suspension of a partner is no outcome of a credit, and may be lifted. */
function suspended(): Refusal {
  return refuse('UNAUTHORIZED', 'The API key is revoked or expired, or its partner is suspended.');
}

/** Without a clearing account nothing may be owed. */
const PARTNER_REFUSALS = {
  account_missing: exposureLimitExceeded,
  account_frozen: suspended,
  floor: exposureLimitExceeded,
};

function blocked(): Refusal {
  return refuse('BENEFICIARY_BLOCKED', 'The beneficiary cannot be credited.');
}

const BENEFICIARY_REFUSALS = {
  account_missing: noBeneficiary,
  account_frozen: blocked,
  type_disabled: blocked,
  barred: blocked,
};
