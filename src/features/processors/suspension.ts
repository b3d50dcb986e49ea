// Suspends and reactivates processors: record and account change in one transaction.
import type { Actor } from '../../audit/log.ts';
import type { Queries } from '../../db/database.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { noSuchProcessor } from '../../parties/processor.ts';
import { auditResource, type ProcessorContext } from './context.ts';
import { lockProcessor, type ProcessorRow, updateProcessor } from './store.ts';

type Context = Pick<ProcessorContext, 'database' | 'audit' | 'clock' | 'keysChanged'>;

export function createSuspension({ database, audit, clock, keysChanged }: Context) {
  /**
   * Freezing the account waits for the batch of payments that holds its lock. Each payment is decided entirely before
   * or after the suspension, and none is posted after the suspension is confirmed.
   */
  async function suspend(trx: Queries, actor: Actor, id: string, reason: string): Promise<ProcessorRow | Refusal> {
    const before = await lockProcessor(trx, id);
    if (!before) return noSuchProcessor();
    if (before.status === 'suspended') return refuse('ALREADY_SUSPENDED', 'The processor is already suspended.');
    const now = new Date(clock.now());
    const suspension = { suspend_reason: reason, suspended_at: now, suspended_by: actor.caller.id };
    const row = await updateProcessor(trx, id, { status: 'suspended', ...suspension, updated_at: now });
    await changeAccount(trx, id, { frozen: true });
    await audit.record(trx, actor, { action: 'processor.suspend', ...auditResource(id), details: { reason } });
    return row;
  }

  async function reactivate(trx: Queries, actor: Actor, id: string): Promise<ProcessorRow | Refusal> {
    const before = await lockProcessor(trx, id);
    if (!before) return noSuchProcessor();
    if (before.status !== 'suspended') return refuse('NOT_SUSPENDED', 'The processor is not suspended.');
    const suspension = { suspend_reason: null, suspended_at: null, suspended_by: null };
    const row = await updateProcessor(trx, id, { status: 'active', ...suspension, updated_at: new Date(clock.now()) });
    await changeAccount(trx, id, { frozen: false });
    await audit.record(trx, actor, { action: 'processor.reactivate', ...auditResource(id) });
    return row;
  }

  /** The processor's keys are rejected, or accepted again, from the next request on. */
  async function change(work: (trx: Queries) => Promise<ProcessorRow | Refusal>): Promise<ProcessorRow | Refusal> {
    const changed = await database.transact(work);
    keysChanged();
    return changed;
  }

  return {
    suspend: (actor: Actor, id: string, reason: string) => change((trx) => suspend(trx, actor, id, reason.trim())),
    reactivate: (actor: Actor, id: string) => change((trx) => reactivate(trx, actor, id)),
  };
}
