// Client certificates of partners, as a proxy passes them on: by every way of authenticating, on both servers, and forged.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { after, describe, test } from 'node:test';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { newReference, testBank, webhookEvents } from '../../support/inbound.ts';
import { createBank } from '../../support/money.ts';
import { partnerBank, partnerHeaders } from '../../support/partner.ts';
import { apiKey } from '../../support/staff.ts';

const DER = Buffer.from('the bytes of a certificate');
const OTHER = Buffer.from('the bytes of another one');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const fieldOf = (bytes: Buffer) => `:${bytes.toString('base64')}:`;
const pemOf = (bytes: Buffer) =>
  encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`);

const first = await testGateway();
const [bank, customers] = [await testBank(first), await createBank(first)];
const partner = await partnerBank(first);
const free = await partnerBank(first);
const bearer = await apiKey(first, ['payments:read'], { partner_id: partner.id, bearer: true });
const certificates = { [bank.partnerId]: `${sha256(OTHER).toUpperCase()}, ${sha256(DER)}`, [partner.id]: sha256(DER) };
const env = { TRUST_PROXY: '127.0.0.1', PARTNER_CERTIFICATES: JSON.stringify(certificates) };
const lane = await testGateway({ db: first.db, clock: first.clock, env });
const ordinary = await testGateway({ db: first.db, clock: first.clock, env: { ...env, FAST_LANE: 'off' } });
after(async () => {
  await lane.close();
  await ordinary.close();
  await first.close();
});

const outcomeOf = ({ status, json }: CallReply) => (status < 300 ? status : `${status} ${json.code}`);
const REQUIRED = '403 CERTIFICATE_REQUIRED';

for (const [name, gateway] of [
  ['the fast lane', lane],
  ['the ordinary server', ordinary],
] as const) {
  describe(`on ${name}`, () => {
    test('a credit needs the certificate, and moves no money without it', async () => {
      const wallet = await customers.wallet(0);
      const reference = newReference();
      const body = { reference, amount: 1_000, msisdn: wallet.phone };
      for (const headers of [
        {},
        { 'client-cert': '' },
        { 'client-cert': '::' },
        { 'client-cert': fieldOf(Buffer.of(1)) },
      ])
        assert.equal(outcomeOf(await bank.credit(body, { gateway, headers })), REQUIRED, JSON.stringify(headers));
      assert.equal(await customers.balance(wallet.id), 0);
      assert.deepEqual(await webhookEvents(first, reference), []);
      assert.equal(outcomeOf(await bank.credit(body, { gateway, headers: { 'client-cert': fieldOf(DER) } })), 200);
      assert.equal(await customers.balance(wallet.id), 1_000);
      // The next one, while it is renewed, as nginx sends it.
      const later = { ...body, reference: newReference() };
      assert.equal(outcomeOf(await bank.credit(later, { gateway, headers: { 'client-cert': pemOf(OTHER) } })), 200);
      assert.equal(await customers.balance(wallet.id), 2_000);
    });

    test('a signed request and a bearer need it, and other partners do not', async () => {
      const body = { phone_number: '+23276000001' };
      const withIt = { gateway, headers: { 'client-cert': fieldOf(DER) } };
      assert.equal(outcomeOf(await partner.send('/account-status', body, { gateway })), REQUIRED);
      assert.equal(outcomeOf(await partner.send('/account-status', body, withIt)), 200);
      assert.equal(outcomeOf(await free.send('/account-status', body, { gateway })), 200);
      const list = (headers = {}) => gateway.call('GET', '/api/v1/transactions', { token: bearer.key, headers });
      assert.equal(outcomeOf(await list()), REQUIRED);
      assert.equal(outcomeOf(await list({ 'client-cert': fieldOf(OTHER) })), REQUIRED);
      assertStatus(await list({ 'client-cert': fieldOf(DER) }), 200);
    });

    test('who is not a proxy cannot pass a certificate on', async () => {
      const path = '/api/v1/partner/account-status';
      const content = JSON.stringify({ phone_number: '+23276000001' });
      const from = async (localAddress: string) => {
        const at = new Date(first.clock.now()).toISOString();
        const headers = partnerHeaders(partner.key, partner.id, { method: 'POST', path, at, body: content });
        const { promise, resolve, reject } = Promise.withResolvers<number>();
        request(`${gateway.url}${path}`, {
          ...{ method: 'POST', localAddress, agent: false },
          headers: { ...headers, 'content-type': 'application/json', 'client-cert': fieldOf(DER) },
        })
          .on('response', (reply) => resolve(reply.resume().statusCode ?? 0))
          .on('error', reject)
          .end(content);
        return promise;
      };
      assert.equal(await from('127.0.0.1'), 200);
      assert.equal(await from('127.0.0.5'), 403);
    });
  });
}
