// Verifies commission settlements: each goes from the agent's own commission account to its float, once per period.
import { commissionAccountSql } from '../../../ledger/commission-accounts.ts';
import { sqlType } from '../../../ledger/movement-types.ts';
import { type Check, rowsOf } from '../../../ledger/verification/findings.ts';
import { SCOPE } from './store.ts';

const RULES = {
  commission_settlement_differs:
    "a commission settlement is not from the agent's commission account to its float, or does not match its period's request",
  commission_settled_twice: 'an agent has two commission settlements for one period',
} as const;

const TYPE = sqlType('commission_settlement');

const DIFFERING = `select m.id, m.from_account, m.to_account, m.reference from movements m
  left join agents a on a.id = m.to_account
  left join requests r on r.movement_id = m.id
  where m.type = ${TYPE} and (a.id is null or m.from_account <> ${commissionAccountSql('m.to_account')}
    or r.scope is distinct from '${SCOPE}' or r.request_id is distinct from m.to_account || ':' || m.reference)`;

const REPEATED = `select to_account, reference, count(*) from movements where type = ${TYPE}
  group by to_account, reference having count(*) > 1`;

export const COMMISSION_SETTLEMENTS: Check = {
  rules: RULES,
  async run(connection, findings) {
    for await (const [id, from, to, period] of rowsOf(connection, 'differing_settlements', DIFFERING)) {
      findings.fault('commission_settlement_differs', id as string, `from ${from} to ${to}, period ${period}`);
    }
    for await (const [agent, period, count] of rowsOf(connection, 'repeated_settlements', REPEATED)) {
      findings.fault('commission_settled_twice', agent as string, `${count} for ${period}`);
    }
  },
};
