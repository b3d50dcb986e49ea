// Cash-out codes: a customer holds money for a withdrawal, and gets a code with which any agent pays it out within half an hour.
import type { CustomerActor } from '../../audit/log.ts';
import { pinRefusal } from '../../auth/pins/refusals.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { DAY_MS, iso, MINUTE_MS } from '../../kernel/clock.ts';
import { CURRENCY, parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import type { MovementActor } from '../../ledger/types.ts';
import { ANY_AGENT } from '../../parties/agent.ts';
import { holderPin } from '../../parties/holder-pin.ts';
import { type HolderStatus, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../parties/subscriber.ts';
import { newDeviceAllowances } from '../../payments/new-device.ts';
import { type Executed, invalidAmount, movementActor, type Receipt } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import { createCodeKeys } from './cash-out-code.ts';
import * as store from './code-store.ts';
import type { CustomerPaymentsContext } from './context.ts';

export const WITHDRAWAL = 'wallet_withdraw';
const VALID_MS = 30 * MINUTE_MS;
const KEPT_MS = 90 * DAY_MS;
const BATCH = 200;
const RELEASING = { type: 'system', id: 'cash-out-codes' } as const;

export interface NewCode {
  amount: string | number;
  /** What the customer was shown that it costs; absent: nothing. */
  total?: number | undefined;
  pin: string;
  requestId: string;
}

export type CodeStatus = (typeof CODE_STATUSES)[number];
export const CODE_STATUSES = ['active', 'redeemed', 'cancelled', 'expired'] as const;

export function createCashOutCodes(context: CustomerPaymentsContext) {
  const { database, holders, pins, payments, findHold, notices, access, masterKey, clock } = context;
  const { queries } = database;
  const keys = createCodeKeys(masterKey);

  /** A retry gets the hold of the first request. Without the code, which is not stored. */
  function hold(actor: CustomerActor, { amount, total, pin, requestId }: NewCode): Promise<Executed | Refusal> {
    const { caller } = actor;
    const expiresAt = clock.now() + VALID_MS;
    const allowances = newDeviceAllowances(caller);
    return runPayment<{ holder: HolderStatus | null }>(payments, {
      type: WITHDRAWAL,
      actor,
      options: { amount, requestId },
      request: { party: caller.id, details: ['cash_out_code'] },
      pin: holderPin(pins, caller, caller.id, pin),
      async find() {
        const holder = await holders.statusById(caller.id);
        return holder ? { holder } : noSuchSubscriber();
      },
      about: () => [caller.id],
      fast: {
        ...{ accountIds: [caller.id], allowanceIds: allowances.map(({ id }) => id), reads: [] },
        find: () => ({ holder: null }),
      },
      refusal: ({ holder }) => holder && holderStatusRefusal(holder, WITHDRAWAL, 'subscriber'),
      plan: () => ({
        hold: { purpose: 'cash_out_code', expiresAt },
        payer: walletSide(caller.id, 'sender'),
        payee: ANY_AGENT,
        allowances,
        ...(total === undefined ? {} : { quoted: { total, refusal: () => CHANGED } }),
        reply: (receipt) => heldReply(receipt, requestId, expiresAt),
      }),
    });
  }

  /** The code of the hold: made, and sent to the customer, once. */
  async function codeOf({ id, account_id, amount, at, expires_at, ended_at }: Hold): Promise<string | null> {
    for (let counter = 0; ; counter += 1) {
      const known = await store.readCode(queries, id);
      if (known) return known.void || ended_at ? null : keys.deriveAgain(known.key_id, id, known.counter);
      const code = keys.derive(id, counter);
      const row = {
        ...{ hold_id: id, subscriber_id: account_id, counter, code_hash: keys.hash(account_id, code), key_id: keys.id },
        ...{ created_at: at, expires_at },
      };
      await database.transact(async (trx) => {
        // The hold was made before, and its code ends with what ended the codes of then.
        const isVoid = await store.hasEndedSince(trx, account_id, at);
        if (!(await store.insertCode(trx, { ...row, void: isVoid })) || isVoid) return;
        const values = { code, amount, minutes: VALID_MS / MINUTE_MS };
        const notice = { subscriberId: account_id, kind: 'cash_out_code', values } as const;
        await notices.tell(trx, { ...notice, expiresAt: expires_at.getTime() });
      });
      notices.wake();
    }
  }

  async function wrongPin({ caller }: CustomerActor, pin: string): Promise<Refusal | null> {
    const verdict = await pins.verify(caller, caller.id, pin);
    return verdict.outcome === 'right' ? null : pinRefusal(verdict, 'customer');
  }

  /** What a code would hold, shown before the PIN. */
  async function price({ caller }: CustomerActor, asked: string | number) {
    const amount = parseAmount(asked);
    if (amount === null) return invalidAmount();
    const holder = await holders.statusById(caller.id);
    const refusal = holder ? holderStatusRefusal(holder, WITHDRAWAL, 'subscriber') : noSuchSubscriber();
    if (refusal) return refusal;
    const sides = { payer: walletSide(caller.id, 'sender'), payee: ANY_AGENT };
    const quoted = await payments.quote({ type: WITHDRAWAL, amount, ...sides });
    if (quoted instanceof Refusal) return quoted;
    return { amount, fee: quoted.payerFee, total: quoted.debited, currency: CURRENCY };
  }

  async function create(actor: CustomerActor, input: NewCode) {
    const held = await hold(actor, input);
    if (held === CHANGED) return changed(await price(actor, input.amount));
    if (held instanceof Refusal) return held;
    // The ledger answers a retry whatever the PIN is; the code is only for whoever knows it.
    const refusal = held.replayed ? await wrongPin(actor, input.pin) : null;
    if (refusal) return refusal;
    const reply = JSON.parse(held.json) as ReturnType<typeof heldReply>;
    const found = await findHold(reply.cash_out_code.id);
    if (!found) throw new Error(`the hold ${reply.cash_out_code.id} was made and is not there`);
    const isOver = found.expires_at.getTime() <= clock.now();
    const code = isOver ? null : await codeOf(found);
    return { reply: { ...reply, cash_out_code: { ...reply.cash_out_code, code } }, replayed: held.replayed };
  }

  async function list({ caller }: CustomerActor, page: Page) {
    const { rows, total } = await store.listCodes(queries, caller.id, page);
    const holds = await Promise.all(rows.map(({ hold_id }) => findHold(hold_id)));
    const codes = rows.flatMap((row, index) => {
      const found = holds[index];
      return found ? [codeView(found, row.void, clock.now())] : [];
    });
    return { codes, total };
  }

  async function cancel(actor: CustomerActor, id: string) {
    const found = await ownCode(actor, id);
    if (found instanceof Refusal) return found;
    const outcome = await release(found, movementActor(actor));
    const after = await findHold(id);
    const ended = after && endedRefusal(after, clock.now());
    if (outcome instanceof Refusal && ended?.code !== 'CANCELLED') return ended ?? outcome;
    return codeView(after ?? found, true, clock.now());
  }

  async function ownCode({ caller }: CustomerActor, id: string): Promise<Hold | Refusal> {
    const found = await findHold(id);
    const isOwn = found?.purpose === 'cash_out_code' && found.account_id === caller.id;
    return isOwn ? found : refuse('NOT_FOUND', 'There is no such cash-out code.');
  }

  function release(held: Hold, actor: MovementActor) {
    return payments.endHold(held, { actor, request: null, outcome: 'released', record: () => ({ reply: {} }) });
  }

  /** The money of codes that ended before their holds: too many wrong ones, or the customer's access ended. */
  async function releaseVoid(stopping?: AbortSignal): Promise<void> {
    for (;;) {
      const ids = await store.voidHolds(queries, BATCH);
      const held = await Promise.all(ids.map((id) => findHold(id)));
      await Promise.all(held.flatMap((one) => (one ? release(one, RELEASING) : [])));
      if (ids.length < BATCH || stopping?.aborted) return;
    }
  }

  async function prune(): Promise<void> {
    const before = new Date(clock.now() - KEPT_MS);
    while ((await store.pruneCodes(queries, before, BATCH)) >= BATCH);
  }

  const endAll = (trx: DatabaseTransaction, subscriberId: string) =>
    store.endCodes(trx, subscriberId, new Date(clock.now()));
  access.onEnd((trx, { subscriberId }) => endAll(trx, subscriberId));

  return { price, create, list, cancel, releaseVoid, prune };
}

const CHANGED = refuse('QUOTE_CHANGED', 'The price has changed: confirm the new one.');

/** The code names what it would hold now. */
function changed<Price extends object>(now: Price | Refusal): Refusal {
  return now instanceof Refusal ? now : refuse(CHANGED.code, CHANGED.message, { details: { quote: now } });
}

function heldReply({ transactionId, amount, payerFee, debited, at }: Receipt, requestId: string, expiresAt: number) {
  return {
    success: true as const,
    message: 'Show the code to an agent, who pays out the amount.',
    request_id: requestId,
    cash_out_code: {
      id: transactionId,
      status: 'active' as CodeStatus,
      ...{ amount, fee: payerFee, total: debited, currency: CURRENCY },
      transaction_id: null as string | null,
      created_at: iso(at),
      expires_at: iso(expiresAt),
    },
  };
}

/** Without the digits: they are shown once, and again to whoever repeats the request with the PIN. */
function codeView(hold: Hold, isVoid: boolean, now: number) {
  const { id, amount, reserved, outcome, end_id, at, expires_at } = hold;
  return {
    ...{ id, status: statusOf(hold, isVoid, now), amount, fee: reserved - amount, total: reserved, currency: CURRENCY },
    transaction_id: outcome === 'captured' ? end_id : null,
    created_at: iso(at),
    expires_at: iso(expires_at),
  };
}

function statusOf({ outcome, expires_at }: Hold, isVoid: boolean, now: number): CodeStatus {
  if (outcome === 'captured') return 'redeemed';
  if (outcome === 'released' || (isVoid && outcome === null)) return 'cancelled';
  return outcome === 'expired' || expires_at.getTime() <= now ? 'expired' : 'active';
}

/** Null while it can be redeemed. */
export function endedRefusal(hold: Hold, now: number): Refusal | null {
  switch (statusOf(hold, false, now)) {
    case 'redeemed':
      return refuse('ALREADY_PAID', 'The code has already been redeemed.');
    case 'cancelled':
      return cancelled();
    case 'expired':
      return refuse('EXPIRED', 'The code has expired.');
    case 'active':
      return null;
  }
}

export function cancelled(): Refusal {
  return refuse('CANCELLED', 'The code has been cancelled.');
}
