// Notices to payers: what is asked of them, within limits that leave no room for spam and phishing.
import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { networkOf } from '../../auth/guesser.ts';
import type { Queries } from '../../db/database.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import { ussdString } from '../../kernel/config/payment-codes.ts';
import { newId } from '../../kernel/ids.ts';
import { type Refusal, refuse, refuseForNow } from '../../kernel/refusal.ts';
import type { RequestContext } from './context.ts';
import { HAS_NOT_ENDED, type PaymentRequest } from './store.ts';

export type Notices = ReturnType<typeof createNotices>;

/** Unanswered notices of a payer, from all payees. */
const MOST_UNANSWERED = 3;
/** Of a payer in 24 hours, whatever became of the requests: from one payee, and from all. */
const MOST_A_DAY = { ofPayee: 3, ofAll: 10 };
/** After as many declines the payee no longer reaches the payer. */
const DECLINES_UNTIL_MUTED = 2;
/** Numbers that the page of a single-use request sends to. */
const MOST_NUMBERS = 2;
/** Of a link that many use, per hour. */
const MOST_PER_VISITOR = 2;
const MOST_PER_LINK = 60;

const KEPT_MS = 90 * DAY_MS;
const PRUNE_BATCH = 500;

/** The class of the advisory locks on requests and on payers' numbers. */
const NOTICE_LOCKS = 7_005;

interface Notice {
  request: PaymentRequest;
  /** E.164. */
  to: string;
  visitor: Buffer | null;
}

export function createNotices(context: RequestContext, payeeName: (request: PaymentRequest) => Promise<string>) {
  const { database, holders, notices, clock, ussdServiceCode } = context;

  /** The caller cannot tell whether anything is sent: a row is written and the same queries run for every number. */
  async function ask(notice: Notice): Promise<Refusal | null> {
    const { request, to, visitor } = notice;
    const [holder, name] = await Promise.all([holders.byPhone(to), payeeName(request)]);
    const refusal = await database.transact(async (trx) => {
      await lock(trx, request.id);
      if (visitor === null) {
        if (await wasAsked(trx, notice)) return null;
      } else {
        const refused = await pageRefusal(trx, notice, clock.now());
        if (refused) return refused;
      }
      await lock(trx, to);
      const isWanted = await mayReach(trx, request, holder?.id ?? '', clock.now());
      const sent = holder?.status === 'ACTIVE' && isWanted;
      await record(trx, notice, holder?.id ?? null, sent);
      const { amount, code } = request;
      const values = { payee: name, amount, code, ussd: ussdString(ussdServiceCode, code) };
      const expiresAt = request.expires_at.getTime();
      if (sent) await notices.tell(trx, { kind: 'request_to_pay', subscriberId: holder.id, values, expiresAt });
      return null;
    });
    notices.wake();
    return refusal;
  }

  async function record(trx: Queries, { request, to, visitor }: Notice, payerId: string | null, sent: boolean) {
    const about = { request_id: request.id, payee_id: request.payee_id, phone: to, payer_id: payerId, visitor };
    const notice = { id: newId('prn', clock), ...about, sent, at: new Date(clock.now()) };
    await trx.insertInto('payment_request_notices').values(notice).execute();
  }

  return {
    /** To the number that the payee named, once. */
    ofPayee: (request: PaymentRequest, to: string) => ask({ request, to, visitor: null }),
    /** To the number that a visitor entered on the request's page. */
    ofPage: (request: PaymentRequest, to: string, visitor: string) =>
      ask({ request, to, visitor: hash('sha256', visitorName(visitor), 'buffer') }),

    /** Notices of requests that have ended, and count for nothing any more. */
    async prune(): Promise<void> {
      const before = new Date(clock.now() - KEPT_MS);
      while ((await pruneNotices(database.queries, before, PRUNE_BATCH)) >= PRUNE_BATCH);
    },
  };
}

/** A whole IPv6 network is one visitor: its addresses cost nothing. */
function visitorName(address: string): string {
  return address.includes(':') && !address.includes('.') ? networkOf(address) : address;
}

async function pruneNotices(queries: Queries, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`delete from payment_request_notices where id = any (array(
    select n.id from payment_request_notices n join payment_requests r on r.id = n.request_id
    where n.at < ${before} and (not ${HAS_NOT_ENDED} or r.expires_at < ${before}) limit ${limit})) returning id`.execute(
    queries,
  );
  return rows.length;
}

async function lock(trx: Queries, text: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${NOTICE_LOCKS}, hashtext(${text}))`.execute(trx);
}

function wasAsked(trx: Queries, { request }: Notice): Promise<boolean> {
  return isTrue(
    trx,
    sql`exists (select from payment_request_notices where request_id = ${request.id} and visitor is null)`,
  );
}

/** It counts every number, registered or not, so that it tells nothing about numbers. */
async function pageRefusal(trx: Queries, { request, to, visitor }: Notice, now: number): Promise<Refusal | null> {
  const ofPage = sql`from payment_request_notices where request_id = ${request.id} and visitor is not null`;
  if (request.single_use) {
    const others = sql`(select count(distinct phone) ${ofPage} and phone <> ${to}) >= ${MOST_NUMBERS}`;
    return (await isTrue(trx, others)) ? tooManyNumbers(request.expires_at.getTime() - now) : null;
  }
  const lastHour = sql`(select count(*) ${ofPage} and at > ${new Date(now - HOUR_MS)}`;
  const byVisitor = sql`${lastHour} and visitor = ${visitor}) >= ${MOST_PER_VISITOR}`;
  const isFull = await isTrue(trx, sql`${byVisitor} or ${lastHour}) >= ${MOST_PER_LINK}`);
  return isFull ? refuseForNow('RATE_LIMITED', 'Too many numbers were entered on this page.', HOUR_MS) : null;
}

/** For as long as the request lives. */
function tooManyNumbers(leftMs: number): Refusal {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(leftMs / SECOND_MS))) };
  return refuse('RATE_LIMITED', `This request was sent to ${MOST_NUMBERS} numbers, which is the most.`, { headers });
}

/** Neither the payee nor all payees together have too many notices without an answer, and the payer wants theirs. */
function mayReach(trx: Queries, { payee_id }: PaymentRequest, payerId: string, now: number): Promise<boolean> {
  const answered = sql`(exists (select from payment_request_declines d where d.request_id = n.request_id and d.payer_id = n.payer_id)
    or exists (select from payment_request_payments p where p.request_id = n.request_id and p.payer_id = n.payer_id))`;
  const ofDay = sql`from payment_request_notices n
    where n.payer_id = ${payerId} and n.sent and n.at > ${new Date(now - DAY_MS)} and not ${answered}`;
  const unanswered = sql`from payment_request_notices n join payment_requests r on r.id = n.request_id
    where n.payer_id = ${payerId} and n.sent and ${HAS_NOT_ENDED} and r.expires_at > ${new Date(now)} and not ${answered}`;
  return isTrue(
    trx,
    sql`(select count(distinct n.request_id) ${unanswered}) < ${MOST_UNANSWERED}
      and not exists (select ${unanswered} and n.payee_id = ${payee_id})
      and (select count(*) ${ofDay} and n.payee_id = ${payee_id}) < ${MOST_A_DAY.ofPayee}
      and (select count(*) ${ofDay}) < ${MOST_A_DAY.ofAll}
      and ${declines(payee_id, payerId)} < ${DECLINES_UNTIL_MUTED}
      and not exists (select from payment_request_blocks where payer_id = ${payerId} and payee_id = ${payee_id})`,
  );
}

/** Those that ended their request and those that did not. */
function declines(payeeId: string, payerId: string): RawBuilder<unknown> {
  return sql`((select count(*) from payment_request_declines where payer_id = ${payerId} and payee_id = ${payeeId})
    + (select count(*) from payment_request_ends e join payment_requests r on r.id = e.request_id
      where e.outcome = 'declined' and e.payer_id = ${payerId} and r.payee_id = ${payeeId}))`;
}

async function isTrue(trx: Queries, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select ${condition} as is`.execute(trx);
  return rows[0]?.is === true;
}
