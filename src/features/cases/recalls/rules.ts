// What a transfer must be so that its recipient is asked without a decision by staff. A recall must not take goods and money back.
import type { Queries } from '../../../db/database.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import type { StoredMovement } from '../../../ledger/queries/movement-lookup.ts';
import type { CasesContext } from '../context.ts';
import type { RecallRule } from '../tables.ts';
import { countOfSender } from './store.ts';

const RECENT_MS = 30 * DAY_MS;
const MOST_OPEN = 1;
const MOST_RECENT = 2;

/** Whether it can be recalled at all, by the rules or by a decision of staff. */
export function isTransferOf(movement: StoredMovement | null, senderId: string): movement is StoredMovement {
  return movement?.type === 'transfer_p2p' && movement.fromAccount === senderId;
}

type RulesContext = Pick<CasesContext, 'books' | 'paymentsBetween' | 'recallWindowMs' | 'clock'>;

/** The rule about the transfer that it is outside of; null: none. */
export async function ruleOfTransfer(context: RulesContext, transfer: StoredMovement): Promise<RecallRule | null> {
  const { books, paymentsBetween, recallWindowMs, clock } = context;
  const { id, details, at, fromAccount, toAccount } = transfer;
  if (details.addressed_by !== 'number' || details.payment_request_id !== undefined) return 'addressing';
  if (clock.now() - at.getTime() >= recallWindowMs) return 'window';
  const [paid, archivedBefore] = await Promise.all([paymentsBetween(fromAccount, toAccount), books.archivedBefore()]);
  const isWhole =
    paid.complete && (archivedBefore === null || (await books.archivedCount(fromAccount, archivedBefore)) === 0);
  const place = paid.ids.indexOf(id);
  // A history that cannot be read to its beginning may have an earlier payment.
  if (!isWhole || place !== paid.ids.length - 1) return 'first_payment';
  return place === 0 ? null : 'paid_since';
}

/** The rule about the sender. The transaction has locked the sender, so that of two recalls one counts the other. */
export async function ruleOfSender(trx: Queries, senderId: string, at: number): Promise<RecallRule | null> {
  const { open, recent } = await countOfSender(trx, senderId, { now: new Date(at), since: new Date(at - RECENT_MS) });
  if (open >= MOST_OPEN) return 'one_open';
  return recent >= MOST_RECENT ? 'two_in_30_days' : null;
}
