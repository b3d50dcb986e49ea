// Compliance: payments held against the rules, the alerts that come of it, and the rules themselves.
import type { Page } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readFilter } from './alert-filter.ts';
import type { AlertsQuery } from './alert-schemas.ts';
import { type AlertRow, countOverdue, findAlert, listAlerts } from './alert-store.ts';
import { type CheckParts, checking } from './check.ts';
import { noSuchAlert } from './parts.ts';
import { reporting } from './reporting.ts';
import { reviewing } from './reviewing.ts';
import { type RulesDependencies, ruleVerbs } from './rules.ts';

export type ComplianceDependencies = CheckParts & RulesDependencies;
export type Compliance = ReturnType<typeof createCompliance>;

export function createCompliance(deps: ComplianceDependencies) {
  const { database, clock } = deps;
  return {
    ...ruleVerbs(deps),
    ...checking(deps),
    ...reporting(deps),
    ...reviewing(deps),
    async alert(id: string): Promise<AlertRow | Refusal> {
      return (await findAlert(database.queries, id)) ?? noSuchAlert();
    },
    /** How many should have been reviewed by now. */
    overdue: () => countOverdue(database.queries, clock.now()),
    async alerts(query: AlertsQuery, page: Page): Promise<{ rows: AlertRow[]; total: number } | Refusal> {
      const filter = readFilter(query, clock);
      return filter instanceof Refusal ? filter : listAlerts(database.queries, filter, page);
    },
  };
}
