// Verifies recalls against the movements: each returns its own transfer, never more than it, on consent or on an approved order.
import { type Check, rowsOf } from '../../../ledger/verification/findings.ts';

const RULES = {
  recall_of_another_transfer: 'a movement that recalls a transfer does not go back the way of that transfer',
  recall_without_consent: 'a movement recalls a transfer without an acceptance by its recipient or an approved order',
  recall_exceeds_transfer: 'the recalls of a transfer are more than the transfer',
  recall_hold_differs: 'a hold of a recall is not for a transfer between the same customers, or for more than it',
  recall_differs: 'a recall in a case names other parties or another amount than its transfer, or another hold',
} as const;

/** A transfer before the instant can be archived, and then its recall cannot be compared with it. */
type Archived = (time: string) => string;

const MOVEMENTS = (archived: Archived) => `select m.id, m.related_id, coalesce(t.type, 'none')
  from movements m left join movements t on t.id = m.related_id
  where m.type = 'recall' and (m.related_id is null or (t.id is null and not ${archived('m.at')})
    or t.type <> 'transfer_p2p' or t.from_account <> m.to_account or t.to_account <> m.from_account or t.at > m.at
    or m.details ->> 'transaction_id' is distinct from m.related_id)`;

// The recipient accepts what is held, by their own hand; an order names its approval by a second user.
const CONSENT = `select m.id, m.actor_type, m.actor_id from movements m
  left join holds h on h.id = m.details ->> 'hold_id'
  left join approvals a on a.id = m.details -> 'legal_order' ->> 'approval_id'
  where m.type = 'recall' and not case when m.details -> 'legal_order' is null
    then coalesce(h.purpose = 'recall', false) and m.actor_type = 'subscriber' and m.actor_id = m.from_account
    else coalesce(a.operation = 'cases.legal_order' and a.decided_by is not null and a.decided_by <> a.requested_by
      and a.status in ('approved', 'executed') and m.actor_id = a.requested_by, false) end`;

const EXCEEDS = `select m.related_id, sum(m.amount), t.amount from movements m join movements t on t.id = m.related_id
  where m.type = 'recall' group by m.related_id, t.amount having sum(m.amount) > t.amount`;

const HOLDS = (archived: Archived) => `select h.id, h.amount, coalesce(t.amount::text, 'none')
  from holds h left join movements t on t.id = h.details ->> 'transaction_id'
  where (h.purpose = 'recall') <> (h.type = 'recall') or (h.purpose = 'recall' and (h.amount > t.amount
    or h.reserved <> h.amount or t.type <> 'transfer_p2p' or t.to_account <> h.account_id or t.from_account <> h.payee_id
    or (t.id is null and not ${archived('h.at')})))`;

const RECORDS = (archived: Archived) => `select r.case_id, r.transfer_id, r.state
  from recalls r left join movements t on t.id = r.transfer_id left join holds h on h.id = r.hold_id
  left join hold_ends e on e.hold_id = r.hold_id
  where (t.id is null and not ${archived('r.confirmed_at')}) or t.from_account <> r.sender_id
    or t.to_account <> r.recipient_id or t.amount <> r.amount
    or (r.hold_id is not null and (h.id is null or h.details ->> 'case_id' is distinct from r.case_id
      or h.details ->> 'transaction_id' is distinct from r.transfer_id))
    or (r.state = 'returned' and e.outcome is distinct from 'captured')
    or (r.state in ('contested', 'expired') and (e.outcome is null or e.outcome = 'captured'))
    or (r.state in ('staff_decides', 'placing', 'nothing_left') and r.hold_id is not null)`;

export const RECALLS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const { archivedBefore: before } = findings;
    const archived: Archived = (time) =>
      before === null ? 'false' : `(${time} < to_timestamp(${before}::double precision / 1000) + interval '31 days')`;
    for await (const [id, transfer, type] of rowsOf(connection, 'recall_movements', MOVEMENTS(archived))) {
      findings.fault('recall_of_another_transfer', id as string, `it names ${transfer}, of the type ${type}`);
    }
    for await (const [id, type, actor] of rowsOf(connection, 'recall_consent', CONSENT)) {
      findings.fault('recall_without_consent', id as string, `made by ${type} ${actor}`);
    }
    for await (const [id, returned, amount] of rowsOf(connection, 'recall_sums', EXCEEDS)) {
      findings.fault('recall_exceeds_transfer', id as string, `${returned} of ${amount}`);
    }
    for await (const [id, held, amount] of rowsOf(connection, 'recall_holds', HOLDS(archived))) {
      findings.fault('recall_hold_differs', id as string, `${held} of a transfer of ${amount}`);
    }
    for await (const [id, transfer, state] of rowsOf(connection, 'recall_records', RECORDS(archived))) {
      findings.fault('recall_differs', id as string, `the transfer ${transfer}, state ${state}`);
    }
  },
};
