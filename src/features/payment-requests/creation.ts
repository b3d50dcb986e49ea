// Makes payment requests: once per request id, with a code and a link, and a notice to the payer who is asked.
import type { Actor } from '../../audit/log.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchProcessor, type PaidProcessor, processorStatusRefusal } from '../../parties/processor.ts';
import { holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import {
  comparableAmount,
  type Executed,
  type IdempotencyKey,
  invalidAmount,
  movementActor,
  requestKey,
} from '../../payments/plan.ts';
import { newToken, tokenHash } from './codes.ts';
import type { Payee, RequestContext } from './context.ts';
import type { Notices } from './notices.ts';
import type { ReturnHosts } from './return-hosts.ts';
import { requestOfDay, statusAt } from './state.ts';
import type { PaymentRequest } from './store.ts';
import { REQUESTS } from './tables.ts';

export interface NewRequest {
  /** Undefined: the payer chooses. */
  amount?: string | number | undefined;
  description?: string | undefined;
  reference?: string | undefined;
  payer_phone?: string | undefined;
  single_use?: boolean | undefined;
  expires_in?: number | undefined;
  /** JSON text. */
  metadata?: string | undefined;
  return_url?: string | undefined;
}

export interface Created {
  /** As it was made, whatever became of it. */
  request: PaymentRequest;
  replayed: boolean;
  isOpen: boolean;
  /** Undefined: it has not been read. */
  payeeName?: string | undefined;
}

/** The request with its defaults, and every field in the form in which it is stored. */
interface Terms {
  amount: number | null;
  description: string;
  reference: string | null;
  payer_phone: string | null;
  single_use: boolean;
  expiresIn: number;
  metadata: string | null;
  return_url: string | null;
}

const DEFAULT_SECONDS = 3_600;
const MAX_METADATA_BYTES = 16 * 1024;

/** The type of the payments, which is that of an in-app payment or of a transfer. */
export const PAYMENT_TYPE = { processor: 'pos_payment', subscriber: 'transfer_p2p' } as const;

export function createCreation(context: RequestContext, notices: Notices, returnHosts: ReturnHosts) {
  const { lookups, takeCode, audit, vault, payments, holders, findProcessor, phone, pep, clock } = context;

  function termsOf(input: NewRequest): Terms | Refusal {
    const { description = '', reference = null, single_use = true, expires_in = DEFAULT_SECONDS } = input;
    if (description === '') return refuse('INVALID_REQUEST', 'description is required: the payer must know what for.');
    const amount = input.amount === undefined ? null : parseAmount(input.amount);
    if (input.amount !== undefined && amount === null) return invalidAmount();
    const payerPhone = input.payer_phone === undefined ? null : phone(input.payer_phone);
    if (payerPhone === null && input.payer_phone !== undefined) {
      return refuse('INVALID_REQUEST', 'payer_phone is not a valid phone number.');
    }
    const { metadata = null, return_url = null } = input;
    if (metadata !== null && Buffer.byteLength(metadata) > MAX_METADATA_BYTES) {
      return refuse('INVALID_REQUEST', `metadata must have at most ${MAX_METADATA_BYTES} bytes as JSON text.`);
    }
    const rest = { description, reference, single_use, expiresIn: expires_in, metadata, return_url };
    return { amount, payer_phone: payerPhone, ...rest };
  }

  /** The processor, or null for a customer. */
  async function findPayee(actor: Actor, { kind, id }: Payee): Promise<PaidProcessor | null | Refusal> {
    if (kind === 'processor') {
      const processor = await findProcessor(id);
      return processor ? (processorStatusRefusal(processor) ?? processor) : noSuchProcessor();
    }
    const holder = await holders.statusById(id);
    if (!holder) return noSuchSubscriber();
    return (await pep.staffRefusal(actor, id, 'payment')) ?? holderStatusRefusal(holder, 'transfer_p2p', 'subscriber');
  }

  async function rowOf(payee: Payee, terms: Terms, actor: Actor, requestId: string | null): Promise<RequestRow> {
    const now = clock.now();
    const id = newId('prq', clock);
    const token = newToken();
    const { expiresIn, ...stored } = terms;
    const payer = terms.payer_phone === null ? null : await holders.byPhone(terms.payer_phone);
    const by = movementActor(actor);
    return {
      ...{ id, payee_kind: payee.kind, payee_id: payee.id, ...stored, payer_id: payer?.id ?? null },
      code: await takeCode(),
      expires_at: new Date(now + expiresIn * SECOND_MS),
      ...{ request_id: requestId, actor_type: by.type, actor_id: by.id },
      created_at: new Date(now),
      token_hash: bytea(tokenHash(token)),
      sealed_token: bytea(vault.seal(token, id)),
    };
  }

  async function record(actor: Actor, payee: Payee, row: RequestRow, key: IdempotencyKey | null) {
    const event = {
      action: 'payment_request.create',
      ...{ resourceType: 'payment_request', resourceId: row.id, details: { payee: payee.id } },
    };
    return payments.record({
      ...{ id: creationId(row.id), type: PAYMENT_TYPE[payee.kind], actor: movementActor(actor), key },
      ...(payee.kind === 'subscriber' ? { allowances: [requestOfDay(payee.id, row.created_at.getTime())] } : {}),
      // Without the link: whoever has it can read the request.
      onRecorded: () => ({
        reply: { payment_request_id: row.id },
        // The row is the record of what a key asks for.
        rows: [{ table: REQUESTS, row }, ...(actor.caller.kind === 'user' ? [audit.outboxRow(actor, event)] : [])],
      }),
    });
  }

  /** As it was made, whatever became of it. */
  async function replayed({ json }: Executed): Promise<Created> {
    const { payment_request_id: id } = JSON.parse(json) as { payment_request_id: string };
    const found = await lookups.byId(id);
    if (!found) throw new Error(`the payment request ${id} was recorded and is not there`);
    return { request: { ...found, ...AS_MADE }, replayed: true, isOpen: statusAt(found, clock.now()) === 'open' };
  }

  async function recorded(actor: Actor, payee: Payee, terms: Terms, key: IdempotencyKey | null) {
    const found = await findPayee(actor, payee);
    if (found instanceof Refusal) return found;
    const { return_url } = terms;
    const refusal = return_url === null ? null : await returnHosts.refusal(payee.id, return_url);
    if (refusal) return refusal;
    const row = await rowOf(payee, terms, actor, key?.id ?? null);
    const outcome = await record(actor, payee, row, key);
    if (outcome instanceof Refusal) return outcome;
    if (outcome.replayed) return replayed(outcome);
    const { merchant_number = null, business_name } = found ?? {};
    const request = { ...row, ...AS_MADE, sealed_token: fromBytea(row.sealed_token), merchant_number };
    return { request, replayed: false, isOpen: true, payeeName: business_name };
  }

  /** `mayAct`: whether another credential that repeats the request gets its reply. */
  return async function create(
    actor: Actor,
    payee: Payee,
    input: NewRequest,
    requestId: string | null,
    mayAct: () => Refusal | null,
  ): Promise<Created | Refusal> {
    const terms = termsOf(input);
    if (terms instanceof Refusal) return terms;
    const details = ['payment_request', ...Object.values({ ...terms, amount: comparableAmount(terms.amount ?? '') })];
    const key = requestKey(PAYMENT_TYPE[payee.kind], actor, payee.id, requestId, details);
    const before = await payments.replay(key, mayAct);
    if (before instanceof Refusal) return before;
    const made = before ? await replayed(before) : await recorded(actor, payee, terms, key);
    if (made instanceof Refusal) return made;
    // Also after a repeated request: the first one may have been interrupted before it. It is sent once.
    const { payer_phone: to } = made.request;
    if (to !== null && made.isOpen) await notices.ofPayee(made.request, to);
    return made;
  };
}

const AS_MADE = { outcome: null, ended_at: null, ended_by: null, payments: 0, transaction_ids: [], failed: false };

type RequestRow = Omit<PaymentRequest, keyof typeof AS_MADE | 'merchant_number' | 'sealed_token'> & {
  sealed_token: string;
  token_hash: string;
};

const fromBytea = (text: string) => Buffer.from(text.slice(2), 'hex');

/** Of the order to the ledger, which is what its idempotency key refers to. */
function creationId(id: string): string {
  return id.replace(/^prq/, 'txn');
}

function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
