// What agents ask for: cash in, pay out a code, register a customer, see the float. They act as their own login.
import { type SqlBool, sql } from 'kysely';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import { createHourlyLimits } from '../../../auth/one-time-codes.ts';
import type { GuardedPins } from '../../../auth/pins/guarded-pins.ts';
import type { AttemptCounts } from '../../../db/attempt-counts.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { Database, Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { shortName } from '../../../kernel/text.ts';
import type { Books } from '../../../ledger/queries/account-history.ts';
import { type AgentRow, agentStatusRefusal, earningAgentSide, noSuchAgent } from '../../../parties/agent.ts';
import type { LookupLimit } from '../../../parties/lookup-limit.ts';
import { type Holders, holderStatusRefusal, noSuchSubscriber, walletSide } from '../../../parties/subscriber.ts';
import type { Payments } from '../../../payments/execute.ts';
import { type Agents, agentPinRefusal } from '../../agents/service.ts';
import type { CustomerPayments } from '../../customer-payments/service.ts';
import type { AnswerOf, EffectOf, PinHolder, Quote } from '../engine/state.ts';
import type { EffectCall } from './call.ts';
import { changedQuote } from './customer.ts';
import { receiptIn } from './receipt.ts';

export interface AgentEffectsContext {
  database: Database;
  audit: AuditLog;
  agents: Pick<Agents, 'cashIn'>;
  customerPayments: Pick<CustomerPayments, 'redeem'>;
  payments: Pick<Payments, 'quote'>;
  findAgent: Load<string, AgentRow | null>;
  holders: Holders;
  books: Pick<Books, 'balance'>;
  pins: GuardedPins;
  lookupLimit: Pick<LookupLimit, 'ofAgent' | 'ofRegistration'>;
  attemptCounts: Pick<AttemptCounts, 'add'>;
  clock: Clock;
}

const INVITATION_MS = 7 * DAY_MS;
/** Of an agent in an hour. */
const MAX_INVITATIONS = 30;

interface Invited {
  phone: string;
  firstName: string;
  lastName: string;
  agentId: string;
}

type Asked = Pick<EffectCall, 'ip' | 'requestId' | 'state'>;

export function createAgentEffects(context: AgentEffectsContext) {
  const { database, audit, agents, customerPayments, payments, findAgent, holders, books, pins, lookupLimit, clock } =
    context;
  const { queries } = database;
  const mayInvite = createHourlyLimits({ counts: context.attemptCounts, clock });

  /** The agent's first active login. Without one the agent cannot act here either. */
  async function actorFor(
    { id: agentId, pinSalt }: PinHolder,
    { ip, requestId }: Asked,
  ): Promise<(Actor & { agent: AgentRow }) | Refusal> {
    const login = queries
      .selectFrom('users')
      .select(['id', 'email', 'role'])
      .where('agent_id', '=', agentId)
      .where('status', '=', 'active')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    const [user, agent] = await Promise.all([login, findAgent(agentId)]);
    if (!agent) return noSuchAgent();
    const refusal = agentStatusRefusal(agent);
    if (refusal) return refusal;
    if (!user) return refuse('AGENT_SUSPENDED', 'The agent has no active login.');
    const caller: UserCaller = {
      ...{ kind: 'user', id: user.id, email: user.email, role: user.role as UserCaller['role'] },
      ...{ agentId, processorId: null, pepAccessAuthorized: false },
      ussd: { pinSalt: Buffer.from(pinSalt, 'base64') },
    };
    return { caller, ip, requestId, agent };
  }

  async function priceOf(agent: AgentRow, phone: string, amount: number): Promise<Quote | Refusal> {
    const holder = await holders.byPhone(phone);
    const limited = await lookupLimit.ofAgent(agent.id, phone, holder ? [holder.id] : []);
    if (limited) return limited;
    if (!holder) return noSuchSubscriber();
    const refusal = holderStatusRefusal(holder, 'agent_cashin', 'subscriber');
    if (refusal) return refusal;
    const parties = { payer: earningAgentSide(agent), payee: walletSide(holder.id, 'recipient') };
    const price = await payments.quote({ type: 'agent_cashin', amount, ...parties });
    if (price instanceof Refusal) return price;
    return { id: null, name: shortName(holder), amount, fee: price.payerFee, total: price.debited };
  }

  /** False: the invitation of another active agent is still open. */
  async function saveInvitation(trx: Queries, { phone, firstName, lastName, agentId }: Invited): Promise<boolean> {
    const now = clock.now();
    const names = { first_name: firstName, last_name: lastName, agent_id: agentId };
    const row = { ...names, expires_at: new Date(now + INVITATION_MS) };
    const saved = trx.insertInto('ussd_invitations').values({ phone_number: phone, ...row });
    const isFree = sql<SqlBool>`ussd_invitations.agent_id = ${agentId} or ussd_invitations.expires_at <= ${new Date(now)}
      or not exists (select from agents a where a.id = ussd_invitations.agent_id and a.status = 'active')`;
    const replacing = saved.onConflict((known) => known.column('phone_number').doUpdateSet(row).where(isFree));
    return (await replacing.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
  }

  return {
    async cashInQuote({ phone, amount }: EffectOf<'cashInQuote'>, { id: agentId }: PinHolder) {
      const agent = await findAgent(agentId);
      const refusal = agent ? agentStatusRefusal(agent) : noSuchAgent();
      if (!agent || refusal) return refusal ?? noSuchAgent();
      const quote = await priceOf(agent, phone, amount);
      if (quote instanceof Refusal) return quote;
      return { kind: 'cashInQuote', quote } satisfies AnswerOf<'cashInQuote'>;
    },

    async cashIn({ phone, amount, pin }: EffectOf<'cashIn'>, by: PinHolder, call: Asked) {
      const actor = await actorFor(by, call);
      if (actor instanceof Refusal) return actor;
      const now = await priceOf(actor.agent, phone, amount);
      if (now instanceof Refusal) return now;
      if (now.fee !== call.state.values.quote?.fee) return changedQuote(now);
      const body = { agent_id: by.id, phone_number: phone, amount: String(amount), pin };
      const options = { amount, requestId: call.requestId };
      const paid = await agents.cashIn(actor, body, options);
      if (paid instanceof Refusal) return paid;
      return { kind: 'cashIn', receipt: receiptIn(paid) } satisfies AnswerOf<'cashIn'>;
    },

    async redeem({ phone, code, pin }: EffectOf<'redeem'>, by: PinHolder, call: Asked) {
      const actor = await actorFor(by, call);
      if (actor instanceof Refusal) return actor;
      const redemption = { code, phone_number: phone, agent_id: by.id, pin, requestId: call.requestId };
      const paid = await customerPayments.redeem(actor, redemption);
      if (paid instanceof Refusal) return paid;
      const holder = await holders.byPhone(phone);
      const { amount } = JSON.parse(paid.json);
      const { transactionId } = receiptIn(paid);
      return {
        ...{ kind: 'redeem', name: holder ? shortName(holder) : '', amount, transactionId },
      } satisfies AnswerOf<'redeem'>;
    },

    /** The customer opens the wallet by dialling: the agent neither proves the number nor learns the PIN. */
    async invite({ phone, firstName, lastName, pin }: EffectOf<'invite'>, by: PinHolder, call: Asked) {
      const actor = await actorFor(by, call);
      if (actor instanceof Refusal) return actor;
      const wrongPin = await agentPinRefusal(pins, actor, by.id, pin);
      if (wrongPin) return wrongPin;
      const taken = (await holders.byPhone(phone)) ? phone : null;
      const limited = await lookupLimit.ofRegistration(actor.caller, taken);
      if (limited) return limited;
      if (taken) return refuse('DUPLICATE_PHONE', 'This phone number is already registered.');
      const often = await mayInvite(
        [{ subject: `ussd-invitations:${by.id}`, limit: MAX_INVITATIONS }],
        'Too many invitations.',
      );
      if (often) return often;
      const invited = await database.transact(async (trx) => {
        if (!(await saveInvitation(trx, { phone, firstName, lastName, agentId: by.id }))) return false;
        const about = { resourceType: 'agent', resourceId: by.id };
        await audit.record(trx, actor, { action: 'agent.invite_customer', ...about });
        return true;
      });
      if (!invited) return refuse('REQUEST_CONFLICT', 'Another agent has entered this number.');
      return { kind: 'invite' } satisfies AnswerOf<'invite'>;
    },

    async float({ pin }: EffectOf<'float'>, by: PinHolder, call: Asked) {
      const actor = await actorFor(by, call);
      if (actor instanceof Refusal) return actor;
      const wrongPin = await agentPinRefusal(pins, actor, by.id, pin);
      if (wrongPin) return wrongPin;
      const account = await books.balance(by.id);
      if (!account) throw new Error(`agent ${by.id} has no float account`);
      return { kind: 'float', float: account.balance } satisfies AnswerOf<'float'>;
    },
  };
}
