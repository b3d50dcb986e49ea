// Verifies payment requests against the movements: what was paid, at most once where so asked, before the expiry, and how each ended.
import { type Check, rowsOf } from '../../ledger/verification/findings.ts';

const RULES = {
  payment_request_paid_wrongly: 'a payment of a request does not match the request or its movement',
  payment_without_request: 'a movement pays a request that does not count it',
  payment_request_paid_again: 'a request for one payment has more than one',
  payment_request_end_differs: 'a request has ended otherwise than its payments, or its expiry say',
} as const;

// A payment comes before the expiry, has the amount that was asked, and is a movement from the payer to the payee.
const PAYMENTS = (archived: string) => `select p.id, p.request_id, p.amount, m.amount
  from payment_request_payments p left join payment_requests r on r.id = p.request_id left join movements m on m.id = p.id
  where r.id is null or p.amount <> coalesce(r.amount, p.amount) or p.at >= r.expires_at
    or (m.id is null and not ${archived}) or m.amount <> p.amount or m.from_account <> p.payer_id
    or m.to_account <> r.payee_id or m.type <> case r.payee_kind when 'processor' then 'pos_payment' else 'transfer_p2p' end
    or (m.id is not null and m.details ->> 'payment_request_id' is distinct from r.id)`;

const WITHOUT_REQUEST = `select m.id, m.details ->> 'payment_request_id' from movements m
  left join payment_request_payments p on p.id = m.id and p.request_id = m.details ->> 'payment_request_id'
  where m.details -> 'payment_request_id' is not null and m.related_id is null and p.id is null`;

const AGAIN = `select r.id, count(*) from payment_requests r join payment_request_payments p on p.request_id = r.id
  where r.single_use group by r.id having count(*) > 1`;

const ENDS = `select coalesce(r.id, e.request_id), e.outcome, coalesce(p.payments, 0)
  from payment_requests r full join payment_request_ends e on e.request_id = r.id
  left join (select request_id, count(*) as payments from payment_request_payments group by request_id) p
    on p.request_id = r.id
  where r.id is null
    or (r.single_use and (p.request_id is not null) <> coalesce(e.outcome = 'paid', false))
    or (not r.single_use and e.outcome = 'paid')
    or (e.outcome = 'expired' and e.at < r.expires_at) or (e.outcome <> 'expired' and e.at >= r.expires_at)`;

export const PAYMENT_REQUESTS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const { archivedBefore } = findings;
    const archived =
      archivedBefore === null ? 'false' : `(p.at < to_timestamp(${archivedBefore}::double precision / 1000))`;
    for await (const [id, request, counted, moved] of rowsOf(connection, 'request_payments', PAYMENTS(archived))) {
      findings.fault('payment_request_paid_wrongly', id as string, `${counted} for ${request}, a movement of ${moved}`);
    }
    for await (const [id, request] of rowsOf(connection, 'payments_without_request', WITHOUT_REQUEST)) {
      findings.fault('payment_without_request', id as string, `it names the request ${request}`);
    }
    for await (const [id, count] of rowsOf(connection, 'requests_paid_again', AGAIN)) {
      findings.fault('payment_request_paid_again', id as string, `${count} payments`);
    }
    for await (const [id, outcome, payments] of rowsOf(connection, 'request_ends', ENDS)) {
      const about = `outcome ${outcome ?? 'none'}, ${payments} payments`;
      findings.fault('payment_request_end_differs', id as string, about);
    }
  },
};
