// Who dials, and how somebody without a wallet opens one: dialling proves the number.
import { ussdCaller } from '../../../auth/caller.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { Database } from '../../../db/database.ts';
import { text, timestampOrNull } from '../../../db/driver/columns.ts';
import { lookup } from '../../../db/lookup.ts';
import type { Language } from '../../../http/pages/language.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { AgentRow } from '../../../parties/agent.ts';
import { type Holders, subscriberBlocked } from '../../../parties/subscriber.ts';
import type { CustomerSessionService } from '../../customer-session/service.ts';
import type { Notices } from '../../notices/service.ts';
import type { SubscriberService } from '../../subscribers/service.ts';
import type { AnswerOf, EffectOf, Person } from '../engine/state.ts';
import type { TextKey } from '../menus/index.ts';
import type { EffectCall } from './call.ts';

export interface PeopleContext {
  database: Database;
  holders: Pick<Holders, 'byPhone'>;
  findAgent: Load<string, AgentRow | null>;
  sessions: Pick<CustomerSessionService, 'ownChannelRefusal' | 'ussdLoginCode'>;
  subscribers: Pick<SubscriberService, 'registerOnOwnNumber' | 'verifyPin' | 'changeVerifiedPin'>;
  notices: { settings: Pick<Notices['settings'], 'of' | 'change'> };
  clock: Clock;
}

/** The page that ends the session at once, or who dials. */
export type Identified = { says: TextKey; language: Language } | { person: Person; language: Language };

export function createPeople(context: PeopleContext) {
  const { database, holders, findAgent, sessions, subscribers, clock } = context;
  const { settings } = context.notices;
  const { queries, reader } = database;
  const agentByPhone = lookup(reader, {
    name: 'agent-by-phone',
    table: 'agents',
    by: 'phone_number',
    columns: { id: text, status: text },
  });

  const holderById = lookup(reader, {
    name: 'ussd-holder-by-id',
    table: 'subscribers',
    by: 'id',
    columns: { phone_number: text, status: text, pin_reset_at: timestampOrNull },
  });

  /** A PIN reset or another number ends the sessions that began before, like a block and nine wrong PINs. */
  async function customerRefusal(id: string, { number, begunAt }: EffectCall): Promise<Refusal | null> {
    const [holder, locked] = await Promise.all([holderById(id), sessions.ownChannelRefusal(id)]);
    if (holder?.phone_number !== number || (holder.pin_reset_at?.getTime() ?? 0) > begunAt) return sessionEnded();
    return holder.status === 'ACTIVE' ? locked : subscriberBlocked();
  }

  async function agentRefusal(id: string, { number }: EffectCall): Promise<Refusal | null> {
    return (await agentByPhone(number))?.id === id ? null : sessionEnded();
  }

  /** Before each question: what the menu found when the number dialled may have changed since. */
  async function changedRefusal(call: EffectCall): Promise<Refusal | null> {
    const { customer, agent } = call.state.person;
    const [ofCustomer, ofAgent] = await Promise.all([
      customer && customerRefusal(customer.id, call),
      agent && agentRefusal(agent.id, call),
    ]);
    return ofCustomer ?? ofAgent;
  }

  async function invitationFor(number: string): Promise<Person['invitation']> {
    const row = await queries
      .selectFrom('ussd_invitations')
      .select(['first_name', 'last_name', 'agent_id'])
      .where('phone_number', '=', number)
      .where('expires_at', '>', new Date(clock.now()))
      .executeTakeFirst();
    const agent = row && (await findAgent(row.agent_id));
    if (!row || agent?.status !== 'active') return null;
    return { firstName: row.first_name, lastName: row.last_name, agentName: agent.business_name };
  }

  async function identify(number: string): Promise<Identified> {
    const [holder, found] = await Promise.all([holders.byPhone(number), agentByPhone(number)]);
    const agent = found?.status === 'active' ? { id: found.id } : null;
    if (!holder) {
      const invitation = await invitationFor(number);
      return { person: { customer: null, agent, invitation }, language: 'en' };
    }
    const [{ language }, locked] = await Promise.all([settings.of(holder.id), sessions.ownChannelRefusal(holder.id)]);
    const says = locked ? 'refused.lockedForGood' : closedWallet(holder.status);
    if (says && !agent) return { says, language };
    return { person: { customer: says ? null : { id: holder.id }, agent, invitation: null }, language };
  }

  async function register(
    { firstName, lastName, pin }: EffectOf<'register'>,
    { state, number, ip, requestId }: EffectCall,
  ): Promise<AnswerOf<'register'> | Refusal> {
    const invited = await queries
      .selectFrom('ussd_invitations')
      .select('agent_id')
      .where('phone_number', '=', number)
      .where('expires_at', '>', new Date(clock.now()))
      .executeTakeFirst();
    const actor = { caller: GATEWAY, ip, requestId };
    const input = { phone_number: number, first_name: firstName, last_name: lastName, pin };
    const registered = await subscribers.registerOnOwnNumber(actor, input, { agentId: invited?.agent_id ?? null });
    if (registered instanceof Refusal) return registered;
    await queries.deleteFrom('ussd_invitations').where('phone_number', '=', number).execute();
    const { language } = state;
    const asHolder = { ...actor, caller: ussdCaller(registered.id) };
    if (language !== 'en') await settings.change(asHolder, registered.id, { language });
    return { kind: 'register' };
  }

  return {
    identify,
    changedRefusal,
    register,
    async prune(): Promise<void> {
      await queries.deleteFrom('ussd_invitations').where('expires_at', '<', new Date(clock.now())).execute();
    },
  };
}

function sessionEnded(): Refusal {
  return refuse('UNAUTHORIZED', 'This session has ended.');
}

/** Nobody is a customer yet: the gateway speaks for the number. */
const GATEWAY = { kind: 'service', id: 'ussd' } as const;

function closedWallet(status: string): TextKey | null {
  if (status === 'BLOCKED') return 'session.blocked';
  return status === 'ACTIVE' ? null : 'session.inactive';
}
