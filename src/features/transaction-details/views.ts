// Alerts, webhook deliveries and audit entries as the details of a transaction show them.
import type { ChainedEntry } from '../../audit/chain.ts';
import { iso } from '../../kernel/clock.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Compliance } from '../compliance/service.ts';
import type { ListedDeliveries } from '../partners/deliveries/service.ts';

type ListedAlert = Exclude<Awaited<ReturnType<Compliance['alerts']>>, Refusal>['rows'][number];

export type AlertView = ReturnType<typeof alertView>[number];
export type DeliveryView = ReturnType<typeof deliveryView>[number];
export type AuditView = ReturnType<typeof auditView>;

/** Nothing for an alert that the caller may not see. */
export function alertView(alert: ListedAlert) {
  if (!('severity' in alert)) return [];
  const { id, severity, status, type, rule_id, description, created_at } = alert;
  return [{ id, severity, status, type, rule_id, description, created_at: iso(created_at) }];
}

export function deliveryView(delivery: ListedDeliveries['deliveries'][number]) {
  if (!('event' in delivery)) return [];
  const { id, event, status, attempts, created_at, finished_at } = delivery;
  const finished = finished_at && iso(finished_at);
  return [{ id, event, status, attempt_count: attempts, created_at: iso(created_at), finished_at: finished }];
}

export function auditView(
  { id, at, actor_type, actor_id, action, request_id }: ChainedEntry,
  names: ReadonlyMap<string, string>,
) {
  const actor_name = names.get(actor_id ?? '') ?? null;
  return { id, at: iso(at), actor_type, actor_id, actor_name, action, request_id };
}
