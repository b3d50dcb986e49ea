// Checks that webhooks are delivered again after recovery: being in the outbox is not enough. And that a provider of SMS that never
// answers leaves no queue behind.
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** Counts of events: due and not leased, delivered, and all. */
const STATE = `select
    count(*) filter (where status = 'pending' and next_attempt_at <= now()
      and (leased_until is null or leased_until <= now()))::int as due,
    count(*) filter (where status = 'delivered')::int as delivered,
    count(*)::int as total
  from webhook_deliveries`;

interface State {
  due: number;
  delivered: number;
  total: number;
}

const WITHIN_MS = 120_000;
/** The receiver rejects two in a hundred, and some events are still leased to a killed gateway. */
const MIN_DELIVERED_SHARE = 1 / 2;

export async function auditDeliveries(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const end = performance.now() + WITHIN_MS;
    for (;;) {
      const [state] = (await client.query<State>(STATE)).rows as [State];
      const findings = findingsOf(state);
      if (findings.length === 0 || performance.now() > end) return findings;
      await wait(100);
    }
  } finally {
    await client.end();
  }
}

function findingsOf({ due, delivered, total }: State): string[] {
  const findings: string[] = [];
  if (due > 0) findings.push(`${due} events are due and not being sent`);
  if (delivered < total * MIN_DELIVERED_SHARE) findings.push(`only ${delivered} of ${total} events were delivered`);
  return findings;
}

/** The texts that were on their way when the provider was given up, a few times per gateway. */
const MOST_KEPT = 200;

export async function auditNotices(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select count(*)::int as kept from messages where kind = 'payment'`);
    const [{ kept }] = rows;
    return kept <= MOST_KEPT ? [] : [`${kept} notices of payments wait for a provider that never answers`];
  } finally {
    await client.end();
  }
}
