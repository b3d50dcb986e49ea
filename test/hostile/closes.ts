// Daily-close requests that can succeed: yesterday's close, and a correction of it, prepared through the API.
import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/kernel/clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { PreparedRequest } from './world.ts';

export interface CloseHost {
  call: TestGateway['call'];
  token: string;
  now: number;
}

const ROUTE = '/api/v1/admin/closes';

/** Requests by operation name. A close can be corrected only once, so they are prepared again periodically. */
export async function prepareCloses({ call, token, now }: CloseHost): Promise<[string, PreparedRequest][]> {
  const date = new Date(now - DAY_MS).toISOString().slice(0, 10);
  const closed = await call('POST', ROUTE, { token, body: { date } });
  assert.ok([201, 409].includes(closed.status), closed.text);
  const { json } = await call('GET', `${ROUTE}/${date}`, { token });
  return [
    [`POST ${ROUTE}`, { fields: () => ({ date, corrects: json.close.id, reason: 'A late statement' }) }],
    [`GET ${ROUTE}/{date}`, { pathValue: date, fields: () => ({}) }],
    [`GET ${ROUTE}/{date}/figures`, { pathValue: date, fields: () => ({}) }],
    [`GET ${ROUTE}/{date}.pdf`, { pathValue: date, fields: () => ({}) }],
  ];
}
