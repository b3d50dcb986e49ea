// The holds of the simulated ledger, made from the rows that payments write, as the production's look-ups would read them.
import type { OutboxRow } from '../../src/db/outbox-table.ts';
import type { ActiveHolds } from '../../src/ledger/batch-state.ts';
import type { Hold } from '../../src/ledger/holds/lookup.ts';
import { HOLD_ENDS, HOLDS } from '../../src/ledger/holds/tables.ts';
import type { Account, Movement } from '../../src/ledger/types.ts';
import { singleRun } from '../../src/ledger/velocity/activity-window.ts';

export class HeldMoney {
  private readonly holds = new Map<string, Hold>();
  /** The latest ones, ended or not. */
  readonly latest: Hold[] = [];

  /** The rows that are of holds, by what happened. */
  record(rows: readonly OutboxRow[]): string[] {
    return rows.flatMap(({ table, row }) => {
      if (table === HOLDS) return this.open(row as unknown as Hold);
      return table === HOLD_ENDS ? this.end(row as unknown as { hold_id: string; outcome: Hold['outcome'] }) : [];
    });
  }

  static without(rows: readonly OutboxRow[]): readonly OutboxRow[] {
    return rows.filter(({ table }) => table !== HOLDS && table !== HOLD_ENDS);
  }

  private open(row: Hold): string[] {
    const hold = { ...row, outcome: null, captured: null, end_id: null, ended_at: null };
    this.holds.set(hold.id, hold);
    this.latest.push(hold);
    if (this.latest.length > 40) this.latest.shift();
    return ['held'];
  }

  private end({ hold_id, outcome }: { hold_id: string; outcome: Hold['outcome'] }): string[] {
    const hold = this.holds.get(hold_id) as Hold;
    if (hold.outcome) throw new Error(`the hold ${hold_id} ended twice`);
    hold.outcome = outcome;
    return [`hold ${outcome}`];
  }

  /** Which of the holds that the movements end have ended. */
  endedOf(movements: readonly Movement[]): Set<string> {
    const ids = movements.flatMap(({ endsHold }) => endsHold?.id ?? []);
    return new Set(ids.filter((id) => this.holds.get(id)?.outcome));
  }

  activeOf(accounts: ReadonlyMap<string, Account>): ActiveHolds {
    const active = [...this.holds.values()].filter(({ account_id, outcome }) => !outcome && accounts.has(account_id));
    return new Map(
      [...Map.groupBy(active, ({ account_id }) => account_id)].map(([account, holds]) => [
        account,
        new Map(holds.map(({ id, type, at, amount }) => [id, singleRun(type, at.getTime(), amount)])),
      ]),
    );
  }
}
