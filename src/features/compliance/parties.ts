// The parties of an alert: those it names, and the two sides of its payment, completed or blocked.
import type { AlertRow } from './alert-store.ts';
import type { AlertContext } from './context.ts';

const NAMED = ['subscriber_id', 'agent_id', 'processor_id'] as const;

export type AlertParties = Pick<AlertRow, (typeof NAMED)[number] | 'transaction_id' | 'figures'>;

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
