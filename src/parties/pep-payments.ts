// Payments of politically exposed persons (PEPs): which movements a caller may not see, and where a balance would reveal them.
import type { Actor } from '../audit/log.ts';
import type { Caller } from '../auth/caller.ts';
import type { PhoneReader } from '../kernel/phone.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { CORRECTIONS, createDealings, type Dealings } from '../ledger/queries/dealings.ts';
import type { LeftOut } from '../ledger/queries/left-out.ts';
import { createPepGuard, type PepGuard, type PepGuardDependencies } from './pep-access.ts';
import { createMentions, type Mentions } from './pep-mentions.ts';

export interface Movement {
  id: string;
  type: string;
  fromAccount: string | null;
  toAccount: string | null;
}

export interface PepPayments {
  /** The ids of the movements that this caller must not see. Access to the PEPs of the others is audited. */
  hidden(actor: Actor, movements: readonly Movement[]): Promise<Set<string>>;
  /** Null when the caller may see the movement; otherwise `notFound`, unless the caller can open access. */
  refusal(actor: Actor, movement: Movement, notFound: Refusal): Promise<Refusal | null>;
  /** What lists must leave out in their query, so that pages and counts say nothing. Undefined: the caller sees everything. */
  leftOut(caller: Caller): Promise<LeftOut | undefined>;
  /** The same for an account's history. Undefined even if it has nothing to leave out. The caller does not own it. */
  leftOutOf(caller: Caller, accountId: string): Promise<LeftOut | undefined>;
  /** The persons and accounts that each movement is about, by its id. */
  partiesOf(movements: readonly Movement[]): Promise<ReadonlyMap<string, readonly (string | null)[]>>;
  /**
   * Whether two running balances of the account would give away a payment that the caller may not see. The caller does not
   * own the account.
   */
  hidesBalances(caller: Caller, accountId: string): Promise<boolean>;
}

/** What features need to protect PEPs. */
export interface PepProtection {
  pep: PepGuard;
  pepPayments: PepPayments;
  mentions: Mentions;
}

export function createPepProtection(dependencies: PepGuardDependencies, phone: PhoneReader): PepProtection {
  const pep = createPepGuard(dependencies);
  const { reader } = dependencies.database;
  const pepPayments = createPepPayments(pep, createDealings(reader));
  return { pep, pepPayments, mentions: createMentions(reader, phone) };
}

function createPepPayments(pep: PepGuard, dealings: Dealings): PepPayments {
  async function partiesOf(movements: readonly Movement[]): Promise<Map<string, (string | null)[]>> {
    const corrections = movements.filter(({ type }) => CORRECTIONS.some((each) => each === type)).map(({ id }) => id);
    const originals = await dealings.originalParties(corrections);
    return new Map(
      movements.map(({ id, fromAccount, toAccount }) => [id, [fromAccount, toAccount, ...(originals.get(id) ?? [])]]),
    );
  }

  /** Null: there is nothing to hide from the caller. */
  async function hiddenFrom(caller: Caller): Promise<{ leftOut: LeftOut; corrected: Set<string> } | null> {
    if (await pep.hasAccess(caller)) return null;
    const accounts = await pep.all();
    if (accounts.length === 0) return null;
    const corrections = await dealings.correctionsOf(accounts);
    const corrected = new Set(corrections.flatMap(({ parties }) => parties));
    return { leftOut: { accounts, movements: corrections.map(({ id }) => id) }, corrected };
  }

  async function leftOutOf(caller: Caller, accountId: string): Promise<LeftOut | undefined> {
    const hidden = await hiddenFrom(caller);
    if (!hidden) return undefined;
    const { leftOut, corrected } = hidden;
    // Nearly every busy account has dealt with a PEP, and looking would take too long.
    const parties = corrected.has(accountId) ? null : await dealings.partiesOf(accountId);
    if (parties === null) return leftOut;
    const peps = new Set(leftOut.accounts);
    return parties.some((id) => id !== accountId && peps.has(id)) ? leftOut : undefined;
  }

  return {
    async hidden(actor, movements) {
      const parties = await partiesOf(movements);
      const hidden = await pep.hidden(actor, [...parties.values()].flat());
      const isHidden = (id: string) => (parties.get(id) ?? []).some((party) => party !== null && hidden.has(party));
      return new Set(movements.map(({ id }) => id).filter(isHidden));
    },
    async refusal(actor, movement, notFound) {
      const parties = await partiesOf([movement]);
      return pep.concealing(actor, parties.get(movement.id) ?? [], 'history', notFound);
    },
    partiesOf,
    leftOut: async (caller) => (await hiddenFrom(caller))?.leftOut,
    leftOutOf,
    hidesBalances: async (caller, accountId) => (await leftOutOf(caller, accountId)) !== undefined,
  };
}
