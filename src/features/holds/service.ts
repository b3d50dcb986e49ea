// Holds, for the parties and for staff: what is reserved, by whom, and until when.
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import { isDrawn } from '../../ledger/holds/tables.ts';
import { createPartyViews, type NameDependencies } from '../../parties/names.ts';
import type { PepProtection } from '../../parties/pep-payments.ts';
import { createAccess, isCustomer, ownAccountOf } from '../transactions/service.ts';
import { type HoldStatus, holdRecord } from './record.ts';
import { listHolds } from './store.ts';

export interface HoldsDependencies extends NameDependencies, Pick<PepProtection, 'pep' | 'pepPayments'> {
  database: Database;
  findHold: Load<string, Hold | null>;
  /** What payments have drawn from a hold. */
  drawnFrom: Load<string, number>;
  clock: Clock;
}

export interface HoldsRequest {
  subscriber_id?: string;
  processor_id?: string;
  status?: HoldStatus;
}

export type Holds = ReturnType<typeof createHolds>;

export function createHolds(dependencies: HoldsDependencies) {
  const { database, findHold, drawnFrom, pepPayments, clock } = dependencies;
  const accountsOf = createAccess(dependencies);
  const partyView = createPartyViews(dependencies);

  async function list(actor: Actor, { status, ...named }: HoldsRequest, page: Page) {
    const accounts = await accountsOf(actor, named);
    if (accounts instanceof Refusal) return accounts;
    const ofOthers = ownAccountOf(actor.caller) === null;
    const leftOut = ofOthers ? ((await pepPayments.leftOut(actor.caller))?.accounts ?? []) : [];
    const { rows, total } = await listHolds(database.queries, { accounts, leftOut, status }, clock.now(), page);
    const found = await Promise.all(rows.map(({ id }) => findHold(id)));
    const holds = found.filter((hold) => hold !== null);
    // Whoever may see those of politically exposed persons has seen theirs.
    if (ofOthers) await pepPayments.hidden(actor, holds.map(movementOf));
    return { holds: await Promise.all(holds.map((hold) => view(actor, hold))), total };
  }

  /** Another party's hold is answered as one that does not exist. */
  async function get(actor: Actor, id: string) {
    const hold = await findHold(id);
    const own = ownAccountOf(actor.caller);
    if (!hold || (own !== null && own !== hold.account_id && own !== hold.payee_id)) return noSuchHold();
    const refusal = own === null ? await pepPayments.refusal(actor, movementOf(hold), noSuchHold()) : null;
    return refusal ?? view(actor, hold);
  }

  /** A party sees no customer's id, because null for some of them would mark the person. */
  async function view(actor: Actor, hold: Hold) {
    const isParty = ownAccountOf(actor.caller) !== null;
    const { account_id: payer } = hold;
    const [payerName, payeeName] = await Promise.all([nameOf(actor, payer), nameOf(actor, hold.payee_id)]);
    const payerId = isParty && isCustomer(payer) ? null : payer;
    const drawn = isDrawn(hold.purpose) ? await drawnFrom(hold.id) : 0;
    return holdRecord(hold, drawn, { payerId, payerName, payeeName }, clock.now());
  }

  async function nameOf({ caller }: Actor, id: string): Promise<string | null | undefined> {
    return caller.kind === 'user' ? (await partyView(id, null, isStaff(caller))).name : undefined;
  }

  return { list, get };
}

function movementOf({ id, type, account_id: fromAccount, payee_id: toAccount }: Hold) {
  return { id, type, fromAccount, toAccount };
}

function noSuchHold(): Refusal {
  return refuse('NOT_FOUND', 'There is no such hold.');
}
