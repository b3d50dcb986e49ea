// Which requests count as coming from the console's own pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../kernel/refusal.ts';
import { sameOriginAuthentication } from './same-origin.ts';

async function isAdmitted(headers: Record<string, string>): Promise<boolean> {
  const request = { method: 'POST', target: '/console/session/refresh', headers, rawBody: Buffer.alloc(0), ip: '::1' };
  return !((await sameOriginAuthentication.authenticate(request)) instanceof Refusal);
}

const host = 'bank.example';

test('a browser that sends no Sec-Fetch-Site is admitted with its own origin over TLS, or on this computer', async () => {
  const admitted = [
    { host, origin: `https://${host}` },
    { host: `${host}:8443`, origin: `https://${host}:8443` },
    { host: 'localhost:3000', origin: 'http://localhost:3000' },
    { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' },
    { host: '[::1]:3000', origin: 'http://[::1]:3000' },
  ];
  for (const headers of admitted) assert.equal(await isAdmitted(headers), true, headers.origin);
});

test('another scheme, host or port is refused, and so is a request without host or origin', async () => {
  const refused: Record<string, string>[] = [
    { host, origin: `http://${host}` },
    { host, origin: `app://${host}` },
    { host, origin: `https://${host}:8443` },
    { host, origin: `https://shop.${host}` },
    { host: 'localhost.bank.example', origin: 'http://localhost.bank.example' },
    { host, origin: 'null' },
    { host },
    { origin: `https://${host}` },
    { origin: 'null' },
    { host: '', origin: 'null' },
    {},
  ];
  for (const headers of refused) assert.equal(await isAdmitted(headers), false, JSON.stringify(headers));
});

test('Sec-Fetch-Site decides where it is sent', async () => {
  const own = { host, origin: `https://${host}` };
  assert.equal(await isAdmitted({ ...own, 'sec-fetch-site': 'same-origin' }), true);
  for (const site of ['same-site', 'cross-site', 'none', 'Same-Origin', 'same-origin, same-origin']) {
    assert.equal(await isAdmitted({ ...own, 'sec-fetch-site': site }), false, site);
  }
});
