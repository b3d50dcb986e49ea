// Payments of politically exposed persons (PEPs): which movements a caller may not see, and where a balance would reveal them.
import type { Actor } from '../audit/log.ts';
import type { Caller } from '../auth/caller.ts';
import type { PhoneReader } from '../kernel/phone.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { createDealings, type Dealings } from '../ledger/queries/dealings.ts';
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
  /**
   * Whether two running balances of the account would give away a payment that the caller may not see. The caller does not
   * own the account.
   */
  hidesBalances(caller: Caller, accountId: string): Promise<boolean>;
}

/** Corrections between the operator and a partner: their amount is a customer's payment's. */
const CORRECTIONS: readonly string[] = ['suspense_resolution', 'suspense_refund'];

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
    const corrections = movements.filter(({ type }) => CORRECTIONS.includes(type)).map(({ id }) => id);
    const originals = await dealings.originalParties(corrections);
    return new Map(
      movements.map(({ id, fromAccount, toAccount }) => [id, [fromAccount, toAccount, ...(originals.get(id) ?? [])]]),
    );
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
    async hidesBalances(caller, accountId) {
      if (await pep.hasAccess(caller)) return false;
      const parties = await dealings.partiesOf(accountId);
      // Nearly every busy account has dealt with a PEP, and looking would take too long.
      if (parties === null) return (await pep.all()).length > 0;
      return (await Promise.all(parties.filter((id) => id !== accountId).map(pep.isPep))).includes(true);
    },
  };
}
