// The compliance service: checks, alerts and monitoring rules.
import type { Actor } from '../../audit/log.ts';
import { readRange } from '../../http/date-range.ts';
import type { Page } from '../../http/paging.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createAlertPeople, type ShownAlert } from './alert-people.ts';
import type { AlertsQuery } from './alert-schemas.ts';
import * as store from './alert-store.ts';
import { type CheckContext, createChecks } from './check.ts';
import { noSuchAlert } from './context.ts';
import { createNetwork } from './network/operations.ts';
import { createPepMasking, type HiddenAlert, type ListedAlert } from './pep-masking.ts';
import { createAlertReporting } from './raise-alert.ts';
import { createAlertReview } from './review-alert.ts';
import { createRuleOperations, type RulesDependencies } from './rules.ts';
import { createWhatIf, type WhatIfDependencies } from './what-if/operations.ts';

export type { Observation } from './raise-alert.ts';

export type ComplianceDependencies = CheckContext & RulesDependencies & WhatIfDependencies;
export type Compliance = ReturnType<typeof createCompliance>;

export function createCompliance(deps: ComplianceDependencies) {
  const { database, clock, pep } = deps;
  const { pepRefusal, isHidden, hiddenAmong, masked } = createPepMasking(deps);
  const withPeople = createAlertPeople(deps);

  async function shown(actor: Actor, alert: store.AlertRow | Refusal): Promise<ShownAlert | Refusal> {
    if (alert instanceof Refusal) return alert;
    const [one] = await withPeople(actor, [alert]);
    return one ?? noSuchAlert();
  }

  async function hiddenFrom({ caller }: Actor, filter: store.AlertFilter): Promise<string[]> {
    if (await pep.hasAccess(caller)) return [];
    return hiddenAmong(await store.possiblePepAlerts(database.queries, filter));
  }

  /** Alerts found by a hidden payment, even masked ones, would confirm it. */
  async function namesHidden(actor: Actor, transactionId: string | undefined): Promise<boolean> {
    const movement = transactionId === undefined ? null : await deps.movements.byId(transactionId);
    return movement !== null && (await deps.pepPayments.hidden(actor, [movement])).size > 0;
  }

  return {
    shown,
    ...createRuleOperations(deps),
    ...createChecks(deps),
    ...createAlertReporting(deps),
    ...createAlertReview(deps),
    ...createWhatIf(deps),
    ...createNetwork(deps),
    async alert(actor: Actor, id: string): Promise<ShownAlert | Refusal> {
      const alert = await store.findAlert(database.queries, id);
      return shown(actor, alert ? ((await pepRefusal(actor, alert)) ?? alert) : noSuchAlert());
    },
    /** The alert before an update of it; the update itself audits the access to a PEP's alert. */
    async currentAlert(actor: Actor, id: string): Promise<ShownAlert | Refusal> {
      const alert = await store.findAlert(database.queries, id);
      return shown(actor, alert && !(await isHidden(actor, alert)) ? alert : noSuchAlert());
    },
    /** The number of alerts whose review is overdue. */
    overdue: () => store.countOverdue(database.queries, clock.now()),
    async alerts(
      actor: Actor,
      query: AlertsQuery,
      page: Page,
    ): Promise<{ rows: (ShownAlert | HiddenAlert)[]; total: number } | Refusal> {
      const filter = readFilter(actor, query, clock);
      if (filter instanceof Refusal) return filter;
      const { subscriber_id } = filter;
      const refusal = await pep.refusalOf(actor, subscriber_id ?? null, 'alert');
      if (refusal) return refusal;
      if (await namesHidden(actor, filter.transaction_id)) return { rows: [], total: 0 };
      // What finds a masked alert tells what it does not show, and so does its place by due time.
      const reveals = store.filtersByMasked(filter);
      const hidden = reveals || filter.byDueTime ? await hiddenFrom(actor, filter) : [];
      const listed = { ...filter, ...(reveals ? { without: hidden } : { last: hidden }) };
      const { rows, total } = await store.listAlerts(database.queries, listed, page);
      const seen = await masked(actor, rows, subscriber_id);
      const named = new Map((await withPeople(actor, seen.filter(isVisible))).map((row) => [row.id, row]));
      return { rows: seen.map((row) => named.get(row.id) ?? { id: row.id, status: row.status }), total };
    },
  };
}

const isVisible = (alert: ListedAlert): alert is store.AlertRow => 'figures' in alert;

function readFilter({ caller }: Actor, query: AlertsQuery, clock: Clock): store.AlertFilter | Refusal {
  const { limit: _, offset: __, from, to, overdue, pending, assignee, sort, ...plain } = query;
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
  return {
    ...plain,
    ...range,
    ...(overdue ? { overdue: { is: overdue === 'true', now: clock.now() } } : {}),
    ...(pending ? { pending: pending === 'true' } : {}),
    ...(assignee ? { assigneeId: assignee === 'me' ? String(caller.id) : null } : {}),
    byDueTime: sort === 'due_at',
  };
}
