// Query plans of the look-ups in bench/lookup.ts, as PostgreSQL executes them.
import type pg from 'pg';
import type { Statement } from '../src/db/driver/statement.ts';
import * as search from '../src/features/search/store.ts';
import { BY_SLIP } from '../src/ledger/queries/movement-by-slip.ts';

export interface Plan {
  name: string;
  lines: string[];
}

export async function explainPlans(client: pg.Client): Promise<Plan[]> {
  const { rows } = await client.query(`select id, request_id from movements where type = 'pos_payment' limit 1`);
  const [{ id, request_id }] = rows;
  const plans: [name: string, statement: Pick<Statement<unknown>, 'text'>, values: unknown[]][] = [
    [
      'Subscribers by phone number, id and account number',
      search.SUBSCRIBERS.byIdentifier,
      ['+23276123456', null, '1000000007'],
    ],
    ['Subscribers by one word', search.SUBSCRIBERS.byName, ['mariama', true]],
    ['Subscribers by two words', search.SUBSCRIBERS.byName, ['mar ses', true]],
    ['Cards by the start of a serial', search.CARDS, ['04A1']],
    ['Inbound credits by reference', search.CREDITS, ['BANK-97', null]],
    [
      'Movements by transaction id, reference, request id and authorization code',
      BY_SLIP,
      [id, request_id, id.slice(-6), 10],
    ],
  ];
  const explained: Plan[] = [];
  for (const [name, { text }, values] of plans) {
    const explain = `explain (analyze, costs off, timing off, summary off, buffers off) ${text}`;
    const { rows: lines } = await client.query(explain, values);
    explained.push({ name, lines: lines.map((line) => String(line['QUERY PLAN'])) });
  }
  return explained;
}
