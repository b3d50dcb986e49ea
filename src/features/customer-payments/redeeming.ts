// An agent redeems a customer's cash-out code: the hold is captured, and the agent pays out the amount in cash.
import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../audit/log.ts';
import { isAgentUser } from '../../auth/caller.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { HOUR_MS, iso } from '../../kernel/clock.ts';
import { once } from '../../kernel/once.ts';
import { Refusal, refuse, refuseForNow } from '../../kernel/refusal.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import { type AgentRow, agentStatusRefusal, earningAgentSide, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import { REFUSALS_WITHOUT_AMOUNTS, walletSide } from '../../parties/subscriber.ts';
import { takeEarned } from '../../payments/fees.ts';
import { countedTotals } from '../../payments/holds.ts';
import { completedReply, type Executed } from '../../payments/plan.ts';
import { type PlannedPayment, runPayment } from '../../payments/run-payment.ts';
import { agentPinRefusal } from '../agents/service.ts';
import { createCodeKeys, isCashOutCode } from './cash-out-code.ts';
import { cancelled, endedRefusal, WITHDRAWAL } from './cash-out-codes.ts';
import { countWrong, type EnterableCode, lockCodes } from './code-store.ts';
import type { CustomerPaymentsContext } from './context.ts';
import { createUnclaimedRedemption, type IdentityDocument } from './unclaimed-redemption.ts';

/** Wrong codes of an agent in an hour. */
const MOST_WRONG = 10;

export interface Redemption {
  code: string;
  phone_number: string;
  /** Undefined: the caller's own. */
  agent_id?: string | undefined;
  /** The agent's. */
  pin: string;
  /** Of whoever presents a code for a number without a wallet. */
  identity?: IdentityDocument | undefined;
  requestId: string;
}

/** What an agent entered for a number: one of its codes, or nothing. */
type Entered = EnterableCode | null;

/** Compares with all hashes, whichever matches. */
function oneOf(hashes: readonly Buffer[]) {
  return ({ code_hash }: EnterableCode) => hashes.filter((hash) => timingSafeEqual(code_hash, hash)).length > 0;
}

export function createRedeeming(context: CustomerPaymentsContext) {
  const { database, audit, holders, findAgent, findHold, pins, payments, attemptCounts, phone, clock } = context;
  const keys = createCodeKeys(context.masterKey);
  const unclaimed = createUnclaimedRedemption(context);

  /** Compares the code with those of the number, and counts a wrong one, in one transaction. */
  async function compare(subscriberId: string | null, code: string): Promise<Entered> {
    if (subscriberId === null) return null;
    const isOne = oneOf(keys.hashes(subscriberId, code));
    return database.transact(async (trx) => {
      const codes = await lockCodes(trx, subscriberId, new Date(clock.now()));
      const matching = codes.find(isOne);
      if (matching) return matching;
      const live = codes.filter((known) => known.live);
      if (live.length > 0)
        await countWrong(
          trx,
          live.map(({ hold_id }) => hold_id),
        );
      return null;
    });
  }

  /** Without counting a wrong one: what was entered is then compared with the codes of the number's wallet. */
  function isOf(number: string, code: string): Promise<boolean> {
    const isOne = oneOf(keys.hashes(number, code));
    return database.transact(async (trx) => {
      const codes = await lockCodes(trx, number, new Date(clock.now()));
      return codes.some(isOne);
    });
  }

  /** Counted before it is compared, so that all gateways together compare no more than the limit. */
  async function guarded(agentId: string, work: () => Promise<Hold | Refusal>): Promise<Hold | Refusal> {
    const count = (counted: number) => attemptCounts.add(`cash-out-codes:${agentId}`, { counted, correct: 0 }, HOUR_MS);
    const { counted, startedAt } = await count(1);
    let isWrong = false;
    try {
      if (counted > MOST_WRONG) {
        await context.raise(guessing(agentId, startedAt));
        const sentence = `Too many wrong cash-out codes: at most ${MOST_WRONG} an hour.`;
        return refuseForNow('RATE_LIMITED', sentence, startedAt + HOUR_MS - clock.now());
      }
      const found = await work();
      isWrong = found instanceof Refusal && found.code === 'INVALID_CODE';
      return found;
    } finally {
      if (!isWrong) await count(-1);
    }
  }

  /** A code for a number without a wallet. */
  async function findUnclaimed(number: string, code: string): Promise<Hold | Refusal> {
    const entered = await compare(number, code);
    const hold = entered && (await findHold(entered.hold_id));
    if (!hold) return wrongCode();
    return endedRefusal(hold, clock.now()) ?? (entered.live ? hold : cancelled());
  }

  async function find(number: string, code: string): Promise<Hold | Refusal> {
    if (await isOf(number, code)) return unclaimed.identityRequired();
    const holder = await holders.byPhone(number);
    const entered = await compare(holder?.id ?? null, code);
    const hold = entered && (await findHold(entered.hold_id));
    if (!hold || hold.account_id !== holder?.id) return wrongCode();
    return endedRefusal(hold, clock.now()) ?? (entered.live ? hold : cancelled());
  }

  function planOf(actor: Actor, hold: Hold, agent: AgentRow, requestId: string): PlannedPayment {
    const { allowances: _, ...details } = takeEarned(hold.details).details;
    return {
      payer: { ...walletSide(hold.account_id, 'sender'), refusals: REFUSALS_WITHOUT_AMOUNTS },
      payee: earningAgentSide(agent),
      details: { ...details, hold_id: hold.id },
      captures: hold,
      validUntil: { at: hold.expires_at.getTime(), refusal: () => refuse('EXPIRED', 'The code has expired.') },
      allowances: countedTotals(hold, wrongCode),
      reply: (receipt) => ({
        ...completedReply(receipt, requestId, 'The code was redeemed: pay out the amount.', receipt.payeeBalance),
        agent_id: agent.id,
      }),
      rows: (receipt) =>
        audit.paymentRows({ actor, action: 'agent.redeem_code', payer: hold.account_id, payee: agent.id }, receipt),
    };
  }

  /** Another agent may have redeemed it, or the customer cancelled it, after it was read. */
  async function worded(outcome: Executed | Refusal, hold: Hold | null): Promise<Executed | Refusal> {
    if (!hold || !(outcome instanceof Refusal) || outcome.code !== 'ALREADY_CAPTURED') return outcome;
    const now = await findHold(hold.id);
    return (now && endedRefusal(now, clock.now())) ?? outcome;
  }

  return async function redeem(actor: Actor, redemption: Redemption): Promise<Executed | Refusal> {
    const { code, pin, identity, requestId } = redemption;
    const number = phone(redemption.phone_number);
    if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
    if (!isCashOutCode(code)) return refuse('INVALID_REQUEST', 'code must be 8 digits.');
    const agentId = redemption.agent_id ?? (isAgentUser(actor.caller) ? actor.caller.agentId : null);
    if (agentId === null) return refuse('INVALID_REQUEST', 'agent_id is required.');
    const notOwn = ownRefusal(actor.caller, { id: agentId });
    const checkPin = once(() => agentPinRefusal(pins, actor, agentId, pin));
    const entered: { hold: Hold | null } = { hold: null };
    const outcome = await runPayment<AgentRow>(payments, {
      type: identity ? 'unclaimed_payment' : WITHDRAWAL,
      actor,
      options: { requestId },
      request: { party: agentId, details: ['cash_out_code', keys.fingerprint(number, code)] },
      mayAct: async () => notOwn ?? ((await findAgent(agentId)) ? checkPin() : noSuchAgent()),
      find: async () => {
        const agent = await findAgent(agentId);
        return agent ? (notOwn ?? agent) : noSuchAgent();
      },
      about: () => [agentId, entered.hold?.account_id],
      refusal: agentStatusRefusal,
      // The code is compared only after the agent's PIN: whoever lacks it cannot try codes, nor end those of a customer.
      pin: {
        formRefusal: pinFormRefusal(pin),
        async refusal() {
          const wrongPin = await checkPin();
          if (wrongPin) return wrongPin;
          const found = await guarded(agentId, () => (identity ? findUnclaimed(number, code) : find(number, code)));
          if (found instanceof Refusal) return found;
          entered.hold = found;
          return null;
        },
      },
      amount: () => entered.hold?.amount ?? '',
      plan(agent) {
        const { hold } = entered;
        if (!hold) return wrongCode();
        if (identity) return unclaimed.plan(actor, { hold, agent, number, identity, requestId });
        return planOf(actor, hold, agent, requestId);
      },
    });
    return worded(outcome, entered.hold);
  };
}

/** The same for a number that nobody has, without a code, or with another one. */
function wrongCode(): Refusal {
  return refuse('INVALID_CODE', 'The code is wrong, or this number has none.', { status: 400 });
}

function guessing(agentId: string, since: number) {
  return {
    ...{ on: since, of: agentId, type: 'cash_out_code_guessing', agent_id: agentId },
    description: `${MOST_WRONG} wrong cash-out codes were entered there within an hour from ${iso(since)}.`,
    figures: { wrong_codes: MOST_WRONG, since: iso(since) },
  };
}
