// Tests that the client's address is the one that Fastify finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { clientAddressFinder, type ProxyTrust, proxyTrust } from './client-address.ts';

const SETTINGS: ProxyTrust[] = [false, true, 0, 1, 2, '127.0.0.1', '127.0.0.0/8, 10.0.0.0/8', '192.0.2.1, ::1'];
const FORWARDED = [
  undefined,
  '',
  '203.0.113.9',
  '203.0.113.9, 10.1.2.3',
  ' 203.0.113.9 ,10.1.2.3 , 10.4.5.6',
  'not an address, 10.1.2.3',
  '::ffff:10.1.2.3, ::1',
];

for (const setting of SETTINGS) {
  test(`with TRUST_PROXY=${setting}`, async () => {
    const app = fastify({ trustProxy: proxyTrust(setting) });
    const find = clientAddressFinder(setting);
    app.get('/', async (request) => [request.ip, find(request.raw.socket, request.headers)]);
    for (const value of FORWARDED) {
      const headers = value === undefined ? {} : { 'x-forwarded-for': value };
      // An address that is not valid may be an error in both.
      const reply = await app.inject({ method: 'GET', url: '/', headers });
      if (reply.statusCode !== 200) continue;
      const [expected, found] = reply.json();
      assert.equal(found, expected, String(value));
    }
    await app.close();
  });
}
