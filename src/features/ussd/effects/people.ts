// Who dials, and how somebody without a wallet opens one: dialling proves the number.
import { ussdCaller } from '../../../auth/caller.ts';
import type { GuardedPins } from '../../../auth/pins/guarded-pins.ts';
import { ownChannelsLocked } from '../../../auth/pins/refusals.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { Database } from '../../../db/database.ts';
import { text } from '../../../db/driver/columns.ts';
import { lookup } from '../../../db/lookup.ts';
import type { Language } from '../../../http/pages/language.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { AgentRow } from '../../../parties/agent.ts';
import { type Holders, subscriberBlocked } from '../../../parties/subscriber.ts';
import type { Notices } from '../../notices/service.ts';
import type { SubscriberService } from '../../subscribers/service.ts';
import type { AnswerOf, EffectOf, Person, PinHolder } from '../engine/state.ts';
import type { TextKey } from '../menus/index.ts';
import type { EffectCall } from './call.ts';

export interface PeopleContext {
  database: Database;
  holders: Pick<Holders, 'byPhone'>;
  findAgent: Load<string, AgentRow | null>;
  pins: Pick<GuardedPins, 'ownState'>;
  subscribers: Pick<SubscriberService, 'registerOnOwnNumber' | 'verifyPin' | 'changeVerifiedPin'>;
  notices: { settings: Pick<Notices['settings'], 'of' | 'change'> };
  clock: Clock;
}

const LOCKED = 'refused.lockedForGood';
const ENGLISH = { language: 'en' } as const;

/** The page that ends the session at once, or who dials. */
export type Identified = { says: TextKey; language: Language } | { person: Person; language: Language };

export function createPeople(context: PeopleContext) {
  const { database, holders, findAgent, pins, subscribers, clock } = context;
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
    columns: { phone_number: text, status: text },
  });

  /** A new PIN or another number ends the sessions that began before, like a block and nine wrong PINs. */
  async function customerRefusal(customer: PinHolder, { number }: EffectCall): Promise<Refusal | null> {
    const [holder, ofPin] = await Promise.all([holderById(customer.id), pinRefusal(customer)]);
    if (holder?.phone_number !== number) return sessionEnded();
    return holder.status === 'ACTIVE' ? ofPin : subscriberBlocked();
  }

  async function agentRefusal(agent: PinHolder, { number }: EffectCall): Promise<Refusal | null> {
    const [holder, ofPin] = await Promise.all([agentByPhone(number), pinRefusal(agent)]);
    return holder?.id === agent.id ? ofPin : sessionEnded();
  }

  async function pinRefusal({ id, pinSalt }: PinHolder): Promise<Refusal | null> {
    const state = await pins.ownState(id);
    if (state?.salt.toString('base64') !== pinSalt) return sessionEnded();
    return state.isLocked ? ownChannelsLocked() : null;
  }

  /** Before each question: what the menu found when the number dialled may have changed since. */
  async function changedRefusal(call: EffectCall): Promise<Refusal | null> {
    const { customer, agent } = call.state.person;
    const [ofCustomer, ofAgent] = await Promise.all([
      customer && customerRefusal(customer, call),
      agent && agentRefusal(agent, call),
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
    const [{ language }, customer, agent] = await Promise.all([
      holder ? settings.of(holder.id) : ENGLISH,
      holder && pinHolder(holder.id),
      found?.status === 'active' ? pinHolder(found.id) : null,
    ]);
    const noWallet = customer === LOCKED ? LOCKED : holder && closedWallet(holder.status);
    const says = noWallet ?? (agent === LOCKED && !holder ? LOCKED : null);
    if (says && (agent === null || agent === LOCKED)) return { says, language };
    const person = {
      customer: noWallet || customer === LOCKED ? null : customer,
      agent: agent === LOCKED ? null : agent,
      invitation: holder ? null : await invitationFor(number),
    };
    return { person, language };
  }

  /** After nine wrong PINs the holder's own channels wait for a PIN reset. */
  async function pinHolder(id: string): Promise<PinHolder | typeof LOCKED> {
    const state = await pins.ownState(id);
    if (!state) throw new Error(`${id} has no PIN`);
    return state.isLocked ? LOCKED : { id, pinSalt: state.salt.toString('base64') };
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
    const asHolder = { ...actor, caller: ussdCaller(registered.id, null) };
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
