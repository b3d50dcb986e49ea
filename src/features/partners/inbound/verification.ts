// Verifies inbound credits and reversals: each record belongs to one movement, and both say the same.
import { sqlType } from '../../../ledger/movement-types.ts';
import { type Check, rowsOf } from '../../../ledger/verification/findings.ts';
import { referenceScope } from '../../../payments/plan.ts';

const RULES = {
  inbound_without_movement: 'a completed inbound credit has no movement',
  movement_without_inbound: 'a movement of an inbound credit has no record',
  inbound_differs: "an inbound credit's record differs from its movement, its postings or the stored reply",
  reversal_without_movement: "a reversal's record has no movement",
  movement_without_reversal: "a reversal's movement has no record",
  reversal_differs: 'a reversal does not match the credit or the amount it names',
} as const;

const CREDITS = `select coalesce(t.id, m.id), m.id is null, t.id is null, concat_ws(', ',
    case when t.amount <> m.amount then 'amount' end, case when t.fee <> m.fee then 'fee' end,
    case when t.net_credited <> payee.amount then 'net_credited' end,
    case when t.partner_id <> m.from_account then 'partner' end,
    case when t.subscriber_id is distinct from m.to_account then 'subscriber' end,
    case when t.reference is distinct from m.reference then 'reference' end,
    case when t.narration is distinct from m.narration then 'narration' end,
    case when t.completed_at <> m.at then 'completed_at' end,
    case when t.id is distinct from m.details ->> 'inbound_id' then 'id' end,
    case when t.partner_outstanding <> greatest(0, -payer.balance_after) then 'partner_outstanding' end)
  from (select * from inbound_transactions where status = 'COMPLETED') t
  full join (select * from movements where type = ${sqlType('inbound_credit')}) m on m.id = t.transaction_id
  left join postings payer on payer.movement_id = m.id and payer.account_id = m.from_account
  left join postings payee on payee.movement_id = m.id and payee.account_id = m.to_account`;

// While the idempotency record exists, it must say the same.
const REPLIES = `select t.id, concat_ws(', ', case when r.refused = (t.status = 'COMPLETED') then 'status' end,
    case when t.status = 'COMPLETED' and (r.reply::json #>> '{data,inbound_id}' is distinct from t.id
      or r.reply::json #>> '{data,amount}' is distinct from t.amount::text
      or r.reply::json #>> '{data,net_credited}' is distinct from t.net_credited::text
      or r.reply::json #>> '{data,transaction_id}' is distinct from t.transaction_id) then 'stored reply' end,
    case when t.status <> 'COMPLETED' and r.reply::json #>> '{data,failure_code}' is distinct from t.failure_code
      then 'failure_code' end)
  from inbound_transactions t
  join requests r on r.request_id = t.reference and r.scope = '${referenceScope('')}' || t.partner_id`;

const REVERSALS = `select coalesce(v.inbound_id, m.id), m.id is null, v.inbound_id is null, concat_ws(', ',
    case when t.id is null then 'credit' end,
    case when m.related_id is distinct from t.transaction_id then 'movement of the credit' end,
    case when m.amount is distinct from credit.amount - credit.fee then 'amount' end,
    case when m.from_account is distinct from t.subscriber_id then 'subscriber' end,
    case when m.to_account is distinct from t.partner_id then 'partner' end,
    case when m.at <> v.reversed_at then 'reversed_at' end)
  from inbound_reversals v
  full join (select * from movements where type = ${sqlType('inbound_reversal')}) m on m.id = v.transaction_id
  left join inbound_transactions t on t.id = v.inbound_id
  left join movements credit on credit.id = t.transaction_id`;

export const INBOUND_RECORDS: Check = {
  rules: RULES,
  needsHistory: true,
  async run(connection, findings) {
    const differing = (text: string) =>
      `select * from (${text}) d (id, lost, ghost, what) where lost or ghost or what <> ''`;
    for await (const [id, lost, ghost, what] of rowsOf(connection, 'inbound_credits', differing(CREDITS))) {
      if (lost === 't') findings.fault('inbound_without_movement', id as string, 'COMPLETED');
      else if (ghost === 't') findings.fault('movement_without_inbound', id as string, 'no record');
      else findings.fault('inbound_differs', id as string, what as string);
    }
    const replies = `select * from (${REPLIES}) d (id, what) where what <> ''`;
    for await (const [id, what] of rowsOf(connection, 'inbound_replies', replies)) {
      findings.fault('inbound_differs', id as string, what as string);
    }
    for await (const [id, lost, ghost, what] of rowsOf(connection, 'inbound_reversed', differing(REVERSALS))) {
      if (lost === 't') findings.fault('reversal_without_movement', id as string, 'no movement');
      else if (ghost === 't') findings.fault('movement_without_reversal', id as string, 'no record');
      else findings.fault('reversal_differs', id as string, what as string);
    }
  },
};
