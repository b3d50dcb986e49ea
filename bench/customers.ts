// Customers of a benchmark who are logged in on a phone that is no longer new, and the quotes that they pay.
import { PIN } from '@kissi/testkit/parties';
import { SECRETS } from '@kissi/testkit/service';
import { type SubscriberCaller, ussdCaller } from '../src/auth/caller.ts';
import { createQuoteTokens } from '../src/features/customer-payments/quote-token.ts';
import { HOUR_MS, systemClock } from '../src/kernel/clock.ts';
import { withClient } from './client.ts';
import type { Approval } from './load-job.ts';
import type { Bench } from './setup.ts';

export interface Customer {
  caller: SubscriberCaller;
  token: string;
}

/** As these, who are the first of the population: their numbers follow one another. */
export async function loggedIn(bench: Bench, ids: readonly string[]): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (const [n, id] of ids.entries()) {
    customers.push(await login(bench, id, `+23230${String(n + 1).padStart(6, '0')}`));
  }
  await withClient(bench.databaseUrl, (client) => client.query('update customer_devices set restricted_until = now()'));
  return customers;
}

async function login({ address, admin }: Bench, id: string, phone_number: string): Promise<Customer> {
  const post = async <Reply>(path: string, body: object) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const reply = await fetch(`${address}/api/v1${path}`, options);
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };
  const { challenge } = await post<{ challenge: string }>('/me/login', { phone_number });
  const { messages } = await admin.messages.list({ limit: 20 });
  const code = /\b\d{6}\b/.exec(messages.find(({ to }) => to === phone_number)?.text ?? '')?.[0];
  const answer = { challenge, code, pin: PIN, device_name: 'Bench' };
  const { token, device } = await post<{ token: string; device: { id: string } }>('/me/login/verify', answer);
  const caller: SubscriberCaller = { ...ussdCaller(id, null), channel: 'me', session: { id: '', deviceId: device.id } };
  return { token, caller };
}

/** Of the newest requests, which a merchant made: each with a quote for one of the customers. */
export async function approvals(
  { databaseUrl }: Bench,
  customers: readonly Customer[],
  count: number,
): Promise<Approval[]> {
  const text = 'select id, payee_id, amount from payment_requests order by id desc limit $1';
  type Row = { id: string; payee_id: string; amount: string };
  const { rows } = await withClient(databaseUrl, (client) => client.query<Row>(text, [count]));
  const tokens = createQuoteTokens(SECRETS.MASTER_KEY, systemClock);
  const expiresAt = systemClock.now() + HOUR_MS;
  return rows.map(({ id, payee_id: payeeId, amount: asked }, n) => {
    const { caller, token } = customers[n % customers.length] as Customer;
    const amount = Number(asked);
    const quoted = {
      type: 'payment_request',
      payeeId,
      paymentRequestId: id,
      amount,
      total: amount,
      expiresAt,
    } as const;
    return { request: id, payer: caller.id, token, quote: tokens.seal(caller, quoted) };
  });
}
