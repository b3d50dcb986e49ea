// Registers an agent: record, login, PIN, float, message and audit entry in one transaction.
import { randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import { generatePassword, hashPassword } from '../../auth/passwords.ts';
import { isCommonPin } from '../../auth/pins/common-pins.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { newId } from '../../kernel/ids.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { openAccount } from '../../ledger/accounts.ts';
import type { AgentRow } from '../../parties/agent.ts';
import { percentRefusal, readPercent, tierRefusal } from './commission-terms.ts';
import { type AgentContext, auditResource } from './context.ts';
import type { registerBody } from './schemas.ts';
import { agentHasPhone, holdAgent, insertAgent, type NewAgent, readAgent } from './store.ts';

export type Registration = Static<typeof registerBody>;

export interface RegisteredAgent {
  agent: AgentRow;
  userId: string;
}

interface Secrets {
  password: string;
  password_hash: string;
  pin: string;
}

export function createRegistration(context: AgentContext) {
  const { database, audit, users, pins, messaging, phone, clock, lookupLimit } = context;

  /** Fails early, before the slow password hashing. The transaction checks again. */
  async function foreseeableRefusal({ parent_agent_id, phone_number, email }: NewAgent): Promise<Refusal | null> {
    const { queries } = database;
    const [parent, phoneTaken, emailTaken] = await Promise.all([
      parent_agent_id ? readAgent(queries, parent_agent_id) : null,
      agentHasPhone(queries, phone_number),
      users.emailTaken(email),
    ]);
    if (parent_agent_id && !mayBeParent(parent)) return noSuchParent();
    if (phoneTaken) return duplicatePhone();
    return emailTaken ? duplicateEmail() : null;
  }

  function read({ caller }: Actor, input: Registration): NewAgent | Refusal {
    const parentId = input.parent_agent_id?.trim() || null;
    const refusal =
      kindRefusal(caller, input) ??
      parentRefusal(input, parentId) ??
      networkRefusal(caller, parentId) ??
      newTermsRefusal(caller, input);
    if (refusal) return refusal;
    const percent = readPercent(input.commission_percent);
    if (percent instanceof Refusal) return percent;
    const unused = percent === null ? null : tierRefusal(input.commission_tier);
    if (unused) return unused;
    const number = phone(input.phone_number);
    if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
    const now = new Date(clock.now());
    return {
      id: newId('agent', clock),
      type: input.agent_type,
      parent_agent_id: parentId,
      business_name: tidy(input.business_name),
      first_name: tidy(input.first_name),
      last_name: tidy(input.last_name),
      phone_number: number,
      email: input.email,
      location: input.location ? tidy(input.location) : null,
      commission_tier: input.commission_tier ?? DEFAULT_TERMS.commission_tier,
      commission_percent: percent,
      settlement_mode: input.settlement_mode ?? DEFAULT_TERMS.settlement_mode,
      created_at: now,
      updated_at: now,
    };
  }

  async function insert(
    trx: DatabaseTransaction,
    actor: Actor,
    newAgent: NewAgent,
    secrets: Secrets,
  ): Promise<RegisteredAgent | Refusal> {
    // The share lock orders a concurrent suspension of the parent before or after this registration.
    const parent = newAgent.parent_agent_id ? await holdAgent(trx, newAgent.parent_agent_id) : null;
    if (newAgent.parent_agent_id && !mayBeParent(parent)) return noSuchParent();
    const tooMuch = await percentRefusal(context, trx, newAgent);
    if (tooMuch) return tooMuch;
    const agent = await insertAgent(trx, newAgent);
    if (!agent) return duplicatePhone();
    const { email, first_name, last_name, phone_number, type: role } = agent;
    const { password_hash } = secrets;
    const login = { email, password_hash, first_name, last_name, phone_number, role, owner: { agent_id: agent.id } };
    const user = await users.createLogin(trx, actor, login);
    if (!user) return duplicateEmail();
    await pins.setPin(trx, agent.id, secrets.pin);
    await openAccount(trx, { id: agent.id, kind: 'agent_float', openedAt: agent.created_at });
    await messaging.send(trx, { to: phone_number, kind: 'credentials', text: credentialsText(email, secrets) });
    const details = { type: agent.type, parent_agent_id: agent.parent_agent_id, user_id: user.id };
    await audit.record(trx, actor, { action: 'agent.register', ...auditResource(agent.id), details });
    return { agent, userId: user.id };
  }

  return async function plan(actor: Actor, { body }: { body: Registration }) {
    const newAgent = read(actor, body);
    if (newAgent instanceof Refusal) return newAgent;
    const refusal = await foreseeableRefusal(newAgent);
    const taken = TAKEN.includes(refusal?.code ?? '') ? `${newAgent.phone_number} ${newAgent.email}` : null;
    const refused = (await lookupLimit.ofRegistration(actor.caller, taken)) ?? refusal;
    if (refused) return refused;
    const secrets = await makeSecrets();
    return (trx: DatabaseTransaction) => insert(trx, actor, newAgent, secrets);
  };
}

function parentRefusal({ agent_type }: Registration, parentId: string | null): Refusal | null {
  if (agent_type === 'sub_agent') {
    return parentId === null ? refuse('MISSING_PARENT', 'A sub-agent requires parent_agent_id.') : null;
  }
  return parentId === null ? null : refuse('INVALID_REQUEST', 'parent_agent_id is allowed for sub-agents only.');
}

/** Staff may register any agent; a super-agent only its own sub-agents. */
function kindRefusal(caller: Caller, { agent_type }: Registration): Refusal | null {
  return isAgentUser(caller) && agent_type !== 'sub_agent' ? ownSubAgentsOnly() : null;
}

function networkRefusal(caller: Caller, parentId: string | null): Refusal | null {
  if (!isAgentUser(caller)) return null;
  return caller.agentId !== null && caller.agentId === parentId ? null : ownSubAgentsOnly();
}

/** The terms between the operator and an agent. */
export const DEFAULT_TERMS = {
  commission_tier: 'standard',
  settlement_mode: 'instant',
  commission_percent: undefined,
} as const;
export const TERMS = Object.keys(DEFAULT_TERMS) as (keyof typeof DEFAULT_TERMS)[];

/** A super-agent could otherwise give its network better terms than the operator agreed to. */
function newTermsRefusal(caller: Caller, input: Registration): Refusal | null {
  if (!isAgentUser(caller)) return null;
  const term = TERMS.find((field) => input[field] !== undefined && input[field] !== DEFAULT_TERMS[field]);
  return term === undefined ? null : termsRefusal(term);
}

export function termsRefusal(term: keyof typeof DEFAULT_TERMS): Refusal {
  return refuse('FORBIDDEN', `Only the operator decides on ${term}.`);
}

function ownSubAgentsOnly(): Refusal {
  return refuse('FORBIDDEN', 'A super_agent can register only its own sub-agents.');
}

function mayBeParent(agent: AgentRow | null): boolean {
  return agent?.type === 'super_agent' && agent.status === 'active';
}

export function duplicatePhone(): Refusal {
  return refuse('DUPLICATE_PHONE', 'This phone number is already registered.');
}

function duplicateEmail(): Refusal {
  return refuse('DUPLICATE_EMAIL', 'This email is already registered.');
}

/** They tell a super-agent who has a login. */
const TAKEN = ['DUPLICATE_PHONE', 'DUPLICATE_EMAIL'];

function noSuchParent(): Refusal {
  return refuse('INVALID_REQUEST', 'parent_agent_id must be the id of an active super-agent.');
}

/** Called before a transaction is open, because password hashing is slow. */
async function makeSecrets(): Promise<Secrets> {
  const password = generatePassword();
  return { password, password_hash: await hashPassword(password), pin: newPin() };
}

/** Agents keep a generated PIN, so it is never a common one. */
export function newPin(draw: () => number = () => randomInt(10_000)): string {
  for (;;) {
    const pin = String(draw()).padStart(4, '0');
    if (!isCommonPin(pin)) return pin;
  }
}

function credentialsText(email: string, { password, pin }: Secrets): string {
  const advice = 'Please change the password and the PIN after logging in.';
  return `Your Kissi login: ${email}\n(or this phone number)\nPassword: ${password}\nPIN: ${pin}\n${advice}`;
}
