// Who dials, and how somebody without a wallet opens one: dialling proves the number.
import { ussdCaller } from '../../../auth/caller.ts';
import type { Load } from '../../../db/batch-loader.ts';
import type { Database } from '../../../db/database.ts';
import { text } from '../../../db/driver/columns.ts';
import { lookup } from '../../../db/lookup.ts';
import type { Language } from '../../../http/pages/language.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { AgentRow } from '../../../parties/agent.ts';
import type { Holders } from '../../../parties/subscriber.ts';
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
    register,
    async prune(): Promise<void> {
      await queries.deleteFrom('ussd_invitations').where('expires_at', '<', new Date(clock.now())).execute();
    },
  };
}

/** Nobody is a customer yet: the gateway speaks for the number. */
const GATEWAY = { kind: 'service', id: 'ussd' } as const;

function closedWallet(status: string): TextKey | null {
  if (status === 'BLOCKED') return 'session.blocked';
  return status === 'ACTIVE' ? null : 'session.inactive';
}
