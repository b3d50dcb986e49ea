// The commission accounts of agents: each holds what its agent earned until it is settled into the float.
//
// The schema opens one for each agent. Payments derive its id from the agent's id, to save a look-up; the kind of an
// account comes from accounts.kind all the same.
const PREFIX = 'commission_';

export function commissionAccountOf(agentId: string): string {
  return `${PREFIX}${agentId}`;
}

/** The same for an SQL expression. */
export function commissionAccountSql(agentId: string): string {
  return `('${PREFIX}' || ${agentId})`;
}

/**
 * The change of the commission accounts of payer and payee by a movement, in its details: positive where commission was
 * credited there instead of the party's own account, negative where a refund took it back.
 */
export interface Accrued {
  payer: number;
  payee: number;
}

export const NO_ACCRUAL: Accrued = { payer: 0, payee: 0 };

export function accruedIn({ accrued }: Record<string, unknown>): Accrued {
  return (accrued as Accrued | undefined) ?? NO_ACCRUAL;
}

/** The same for a row `m` of movements in SQL. */
export function accruedSql(party: 'payer' | 'payee'): string {
  return `coalesce((m.details #>> '{accrued,${party}}')::numeric, 0)`;
}
