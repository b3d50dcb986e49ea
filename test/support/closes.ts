// Daily closes for tests: calls, trust accounts with statements, and an independent replay of the postings.
import { DAY_MS } from '../../src/kernel/clock.ts';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { staffToken } from './staff.ts';

export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
export const endOf = (date: string) => Date.parse(`${date}T00:00:00Z`) + DAY_MS;
/** Ten minutes after the end of the day. */
export const closableFrom = (date: string) => endOf(date) + 600_000;

export async function close(kissi: TestGateway, body: object, token?: string): Promise<CallReply> {
  return kissi.call('POST', '/api/v1/admin/closes', {
    body,
    token: token ?? (await staffToken(kissi, 'finance_user')),
  });
}

export async function getClose(kissi: TestGateway, dateOrId: string): Promise<Json> {
  const token = await staffToken(kissi, 'audit_user');
  const reply = assertStatus(await kissi.call('GET', `/api/v1/admin/closes/${dateOrId}`, { token }), 200);
  return { ...reply.json.close, content: JSON.parse(reply.json.close.document) };
}

/** Sums of all postings of movements before the instant, by kind of account; kinds that sum to zero are left out. */
export async function replayedBalances(kissi: TestGateway, end: number): Promise<Record<string, number>> {
  const { rows } = await kissi.db.query(
    `select a.kind, sum(p.amount)::text as sum from postings p join movements m on m.id = p.movement_id
    join accounts a on a.id = p.account_id where m.at < $1 group by a.kind having sum(p.amount) <> 0`,
    [new Date(end)],
  );
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, Number(sum)]));
}

export const balancesOf = ({ content }: Json): Record<string, number> =>
  Object.fromEntries(
    content.ledger.filter(({ balance }: Json) => balance !== 0).map(({ kind, balance }: Json) => [kind, balance]),
  );
