// Verifies movements: postings sum to zero and match the movement, and each request belongs to one movement.
import type { Connection } from '../../db/driver/connection.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { accruedSql, commissionAccountSql } from '../commission-accounts.ts';
import { type MovementType, sqlType } from '../movement-types.ts';
import { FEE_ACCOUNTS } from '../system-accounts.ts';
import { bigintOf, type Findings, type Row, rowsOf } from './findings.ts';

const FEE_ACCOUNT_LIST = FEE_ACCOUNTS.map((id) => `'${id}'`).join(', ');

// `extra` counts the postings to third accounts, except one to fee income and those to the parties' commission accounts.
const MOVEMENTS = `select id, bool_and(orphan) as orphans, count(amount) as postings, coalesce(sum(amount), 0) as total,
    coalesce(sum(fee), 0) as fees, max(movement_fee) as fee, max(movement_amount) as amount,
    max(payer_earned) as payer_earned, max(payee_earned) as payee_earned,
    sum(amount) filter (where is_payer) + sum(fee) filter (where is_payer) as paid,
    sum(amount) filter (where is_payee) + sum(fee) filter (where is_payee) as received,
    count(*) filter (where is_third and not is_fee_income and not of_payer and not of_payee)
      + greatest(0, count(*) filter (where is_third and is_fee_income) - 1) as extra,
    max(payer_accrued) as payer_accrued, max(payee_accrued) as payee_accrued,
    coalesce(sum(amount) filter (where is_third and of_payer), 0) as to_payer,
    coalesce(sum(amount) filter (where is_third and of_payee), 0) as to_payee
  from (select coalesce(m.id, p.movement_id) as id, m.id is null as orphan, p.amount, p.fee,
      m.fee as movement_fee, m.amount as movement_amount,
      coalesce((m.details #>> '{earned,payer}')::numeric, 0) as payer_earned,
      coalesce((m.details #>> '{earned,payee}')::numeric, 0) as payee_earned,
      ${accruedSql('payer')} as payer_accrued, ${accruedSql('payee')} as payee_accrued,
      p.account_id = ${commissionAccountSql('m.from_account')} as of_payer,
      p.account_id = ${commissionAccountSql('m.to_account')} as of_payee,
      p.account_id = m.from_account as is_payer, p.account_id = m.to_account as is_payee,
      p.account_id not in (m.from_account, m.to_account) as is_third, p.account_id in (${FEE_ACCOUNT_LIST}) as is_fee_income
    from movements m full join postings p on p.movement_id = m.id) as each_posting
  group by id`;

// Apart from fees, the payer pays the amount less its commission, and the payee receives the amount plus its commission.
// Commission that is settled later is on the party's commission account instead.
const SUSPECT_MOVEMENTS = `select * from (${MOVEMENTS}) s where orphans or postings < 2 or total <> 0 or fees <> fee
  or paid is null or received is null or paid <> -amount + payer_earned - greatest(0, payer_accrued)
  or received <> amount + payee_earned - greatest(0, payee_accrued) or extra > 0
  or to_payer <> payer_accrued or to_payee <> payee_accrued`;

export async function verifyMovements(connection: Connection, findings: Findings): Promise<void> {
  for await (const row of rowsOf(connection, 'suspect_movements', SUSPECT_MOVEMENTS)) verifyMovement(row, findings);
}

function verifyMovement(row: Row, findings: Findings): void {
  const [id, orphans, postings, total, fees, fee, amount, byPayer, byPayee, paid, received, extra, ...accruals] = row;
  const [payerAccrued, payeeAccrued, toPayer, toPayee] = accruals.map(bigintOf) as [bigint, bigint, bigint, bigint];
  const movementId = id as string;
  if (orphans === 't') {
    findings.fault('posting_without_movement', movementId, `${postings} postings`);
    return;
  }
  if (bigintOf(postings) < 2n) findings.fault('movement_without_postings', movementId, `it has ${postings}`);
  if (bigintOf(total) !== 0n) findings.fault('movement_unbalanced', movementId, `they sum to ${total}`);
  if (fees !== fee) findings.fault('movement_fee_differs', movementId, `${fees} instead of ${fee}`);
  if (bigintOf(extra) > 0n) findings.fault('third_account', movementId, `${extra} postings`);
  if (toPayer !== payerAccrued || toPayee !== payeeAccrued) {
    const posted = `${toPayer} and ${toPayee} on the payer's and payee's commission accounts`;
    findings.fault('movement_accrual_differs', movementId, `${posted}, accrued ${payerAccrued} and ${payeeAccrued}`);
  }
  const [payerEarned, payeeEarned] = [
    bigintOf(byPayer) - atLeastZero(payerAccrued),
    bigintOf(byPayee) - atLeastZero(payeeAccrued),
  ];
  const isPaid = paid != null && bigintOf(paid) === payerEarned - bigintOf(amount);
  if (!isPaid || received == null || bigintOf(received) !== payeeEarned + bigintOf(amount)) {
    const actual = `without fees, payer ${paid ?? 'none'} and payee ${received ?? 'none'}`;
    findings.fault(
      'movement_amount_differs',
      movementId,
      `${actual}; amount ${amount}, earned ${byPayer} and ${byPayee}`,
    );
  }
}

function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n;
}

// A stored refusal references a movement that was not posted. Opening and ending a hold, and making a payment request, post
// none, and have ids of their own.
const ANSWERED = `select id, request_id, type from movements
  union all select id, request_id, '' from holds
  union all select id, request_id, '' from hold_ends where outcome <> 'captured'
  union all select 'txn' || substr(id, 4), request_id, '' from payment_requests`;
const SUSPECT_REQUESTS = `select m.id, m.request_id, r.scope, r.request_id, r.movement_id, r.refused
  from (${ANSWERED}) m full join requests r on r.movement_id = m.id
  where case when r.refused then m.id is not null else m.request_id is distinct from r.request_id end`;

const REPEATED_REQUESTS = 'select scope, request_id from requests group by request_id, scope having count(*) > 1';
const SHARED_MOVEMENTS = 'select movement_id, count(*) from requests group by movement_id having count(*) > 1';

/** Movements whose keys are never deleted: partners' references, and the service's own keys. */
const KEPT_KEYS: readonly MovementType[] = [
  ...(['inbound_credit', 'partner_cashin', 'commission_settlement', 'payout_cleared', 'payout_uncleared'] as const),
];

/** `prunedBefore`: the instant before which keys may be missing; null if none are. */
export async function verifyRequests(
  connection: Connection,
  findings: Findings,
  prunedBefore: number | null,
): Promise<void> {
  const expired = prunedBefore === null ? '' : firstIdAt('txn', prunedBefore);
  const isPruned = `(r.movement_id is null and m.id < '${expired}' and m.type not in (${KEPT_KEYS.map(sqlType).join(', ')}))`;
  const { archivedBefore } = findings;
  const isArchived = `(m.id is null and r.movement_id < '${archivedBefore === null ? '' : firstIdAt('txn', archivedBefore)}')`;
  const suspects = `${SUSPECT_REQUESTS} and not coalesce(${isPruned} or ${isArchived}, false)`;
  for await (const row of rowsOf(connection, 'suspect_requests', suspects)) {
    const [movement, expected, scope, found, reference, refused] = row;
    const about = movement ?? `${scope} ${found}`;
    if (refused === 't') findings.fault('refused_request_with_movement', about, `requested by ${scope} ${found}`);
    else if (movement === null) findings.fault('request_without_movement', about, `it references ${reference}`);
    else if (found === null) findings.fault('movement_without_request', about, `request id ${expected}`);
    else findings.fault('request_differs', about, `${found} instead of ${expected}`);
  }
  for await (const [scope, id] of rowsOf(connection, 'repeated_requests', REPEATED_REQUESTS)) {
    findings.fault('request_repeated', `${scope} ${id}`, 'more than one row');
  }
  for await (const [movement, count] of rowsOf(connection, 'shared_movements', SHARED_MOVEMENTS)) {
    findings.fault('movement_of_two_requests', movement as string, `${count} requests`);
  }
}
