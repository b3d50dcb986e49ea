// Dependencies and helpers shared by the alert operations.
import type { ChangeContext } from '../../audit/log.ts';
import type { Load } from '../../db/batch-loader.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { MovementLookup } from '../../ledger/queries/movement-lookup.ts';
import type { AgentRow } from '../../parties/agent.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { ComplianceMetrics } from '../../payments/compliance-rules.ts';
import type { AlertRow } from './alert-store.ts';

export interface AlertContext extends ChangeContext {
  holders: Pick<Holders, 'statusById'>;
  findAgent: Load<string, AgentRow | null>;
  findProcessor: Load<string, object | null>;
  movements: Pick<MovementLookup, 'byId'>;
  pep: PepGuard;
  pepPayments: PepPayments;
  metrics: ComplianceMetrics;
}

export function noSuchAlert(): Refusal {
  return refuse('NOT_FOUND', 'There is no such alert.');
}

/** The resource fields of an audit entry about an alert. */
export function auditResource(id: string) {
  return { resourceType: 'compliance_alert', resourceId: id };
}

/** Parties that an alert names itself. */
const NAMED = ['subscriber_id', 'agent_id', 'processor_id'] as const;

export type AlertParties = Pick<AlertRow, (typeof NAMED)[number] | 'transaction_id' | 'figures'>;

/** The parties that an alert names, and both sides of its payment, completed or blocked. */
export async function partiesOf(
  { movements }: Pick<AlertContext, 'movements'>,
  alert: AlertParties,
): Promise<string[]> {
  const { transaction_id, figures } = alert;
  const movement = transaction_id === null ? null : await movements.byId(transaction_id);
  const between = [movement?.fromAccount, movement?.toAccount, figures.from, figures.to];
  const ids = [...NAMED.map((name) => alert[name]), ...between].filter((id) => typeof id === 'string');
  return [...new Set(ids)];
}
