// Manages monitoring rules. A change applies to the next payment on this gateway, and within a second on others.
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { created, ok } from '../../http/endpoint.ts';
import type { Page } from '../../http/paging.ts';
import { newId } from '../../kernel/ids.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import { type NewRule, type RuleFields, ruleView } from './rule-schemas.ts';
import * as store from './rule-store.ts';
import { changedTerms, differences, newTerms } from './rule-terms.ts';

export interface RulesDependencies extends ChangeContext {
  /** Invalidates the cached rules that payments are checked against. */
  rulesChanged(): void;
}

/** Bounds the work per payment, which is checked against every enabled rule of its type. */
const MAX_ENABLED_RULES = 100;

export function createRuleOperations({ database, audit, clock, rulesChanged }: RulesDependencies) {
  async function insert(
    trx: DatabaseTransaction,
    actor: Actor,
    terms: store.RuleTerms,
  ): Promise<store.RuleRow | Refusal> {
    await store.lockRules(trx);
    const now = new Date(clock.now());
    const times = { created_at: now, updated_at: now };
    const rule = await store.insertRule(trx, { id: newId('rule', clock), ...terms, version: 1, ...times });
    if ((await store.countEnabled(trx)) > MAX_ENABLED_RULES) return tooMany();
    await audit.record(trx, actor, {
      action: 'compliance_rule.create',
      ...auditResource(rule.id),
      details: { ...terms },
    });
    return rule;
  }

  async function change(
    trx: DatabaseTransaction,
    actor: Actor,
    id: string,
    input: RuleFields,
  ): Promise<store.RuleRow | Refusal> {
    await store.lockRules(trx);
    const before = await store.findRule(trx, id);
    if (!before) return noSuchRule();
    const terms = changedTerms(before, input);
    if (terms instanceof Refusal) return terms;
    const details = differences(before, terms);
    if (Object.keys(details).length === 0) return before;
    const version = before.version + 1;
    const rule = await store.updateRule(trx, id, { ...terms, version, updated_at: new Date(clock.now()) });
    if ((await store.countEnabled(trx)) > MAX_ENABLED_RULES) return tooMany();
    await audit.record(trx, actor, {
      action: 'compliance_rule.update',
      ...auditResource(id),
      details: { ...details, version },
    });
    return rule;
  }

  const createRule: ChangeOperation<unknown, NewRule, store.RuleRow> = {
    kind: 'change',
    name: 'rules.create',
    action: 'rules.change',
    describe: ({ body }) => `Add the monitoring rule ${body.name}.`,
    before: async () => null,
    after: ruleView,
    plan(actor, { body }) {
      const terms = newTerms(body);
      return terms instanceof Refusal ? terms : (trx) => insert(trx, actor, terms);
    },
    // Even if the transaction fails, because its commit may be in doubt.
    settled: rulesChanged,
    reply: (rule) => created({ success: true, message: 'The rule was added.', rule: ruleView(rule) }),
  };

  const changeRule: ChangeOperation<{ id: string }, RuleFields, store.RuleRow> = {
    kind: 'change',
    name: 'rules.update',
    action: 'rules.change',
    describe: ({ params }) => `Change the monitoring rule ${params.id}.`,
    async before(_actor, { params }) {
      const rule = await store.findRule(database.queries, params.id);
      return rule ? ruleView(rule) : null;
    },
    after: ruleView,
    plan:
      (actor, { params, body }) =>
      (trx) =>
        change(trx, actor, params.id, body),
    settled: rulesChanged,
    reply: (rule) => ok({ success: true, message: 'The rule was changed.', rule: ruleView(rule) }),
  };

  return {
    async rule(id: string): Promise<store.RuleRow | Refusal> {
      return (await store.findRule(database.queries, id)) ?? noSuchRule();
    },
    rules: (filter: store.RuleFilter, page: Page) => store.listRules(database.queries, filter, page),
    createRule,
    updateRule: changeRule,
  };
}

function auditResource(id: string) {
  return { resourceType: 'compliance_rule', resourceId: id };
}

export function noSuchRule(): Refusal {
  return refuse('NOT_FOUND', 'There is no such rule.');
}

function tooMany(): Refusal {
  return refuse('RULE_LIMIT', `There are already ${MAX_ENABLED_RULES} enabled rules: disable one first.`);
}
