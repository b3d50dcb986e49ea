// Whether webhooks go out again once everything is mended: being in the outbox is not enough.
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** Due, and nobody is at it; and how many there are, and were delivered, altogether. */
const STATE = `select
    count(*) filter (where status = 'pending' and next_attempt_at <= now()
      and (leased_until is null or leased_until <= now()))::int as due,
    count(*) filter (where status = 'delivered')::int as delivered,
    count(*)::int as told
  from webhook_deliveries`;

interface State {
  due: number;
  delivered: number;
  told: number;
}

const WITHIN_MS = 120_000;
/** A few in a hundred were not acknowledged, and some are still leased to a gateway that was killed. */
const MOST = 1 / 2;

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

function findingsOf({ due, delivered, told }: State): string[] {
  const findings: string[] = [];
  if (due > 0) findings.push(`${due} events are due, and nobody sends them`);
  if (delivered < told * MOST) findings.push(`of ${told} events only ${delivered} were delivered`);
  return findings;
}
