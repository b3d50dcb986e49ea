// The proxies of deploy/ in front of the service: HTTPS with HTTP/2, clients' addresses, and partners' certificates.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '@kissi/testkit/service';
import { type Certificate, createAuthority } from '../support/certificates.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { type PartnerBank, partnerBank, partnerHeaders } from '../support/partner.ts';
import { findProxy, HOST, type ProxyName, type RunningProxy, startProxy } from '../support/reverse-proxies.ts';

const folder = await temporaryFolder();
const authority = await createAuthority(folder.path);
const partnersCa = await createAuthority(folder.path, 'partners');
const [server, own, other, foreign] = await Promise.all([
  authority.issue('server', [HOST]),
  partnersCa.issue('bank'),
  partnersCa.issue('another-bank'),
  authority.issue('of-another-authority'),
]);
const ca = await readFile(authority.ca);

/** Its partners are known before the service is configured for their certificates. */
const first = await testGateway();
const [certified, listed, plain] = [await partnerBank(first), await partnerBank(first), await partnerBank(first)];
await listed.updatePartner({ ip_allowlist: ['127.0.0.9'] });
const fingerprint = new X509Certificate(await readFile(own.cert)).fingerprint256;
const kissi = await testGateway({
  db: first.db,
  clock: first.clock,
  env: { TRUST_PROXY: '127.0.0.1', PARTNER_CERTIFICATES: JSON.stringify({ [certified.id]: fingerprint }) },
});
after(async () => {
  await kissi.close();
  await first.close();
  await folder.remove();
});

interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The address that the client calls from. */
  from?: string;
  certificate?: Certificate;
}

interface Answer {
  status: number;
  text: string;
}

/** A connection of its own to a port of this machine, as the client of a partner makes it. */
async function send(
  port: number,
  { method = 'GET', path, headers = {}, body = '', from, certificate }: Call,
): Promise<Answer> {
  const pair = certificate && { cert: await readFile(certificate.cert), key: await readFile(certificate.key) };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = https.request(
    {
      ...{ host: '127.0.0.1', port, servername: HOST, ca, agent: false, method, path, ...pair },
      headers: { host: HOST, ...headers },
      ...(from ? { localAddress: from } : {}),
    },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    },
  );
  request.on('error', reject).end(body);
  return promise;
}

const PATH = '/api/v1/partner/account-status';

/** A signed request of the partner. */
function signed({ id, key }: PartnerBank, { clock }: TestGateway): Call {
  const body = JSON.stringify({ phone_number: '+23276000001' });
  const at = new Date(clock.now()).toISOString();
  const headers = partnerHeaders(key, id, { method: 'POST', path: PATH, at, body });
  return { method: 'POST', path: PATH, body, headers: { 'content-type': 'application/json', ...headers } };
}

const codeOf = ({ status, text }: Answer) => (status === 200 ? 200 : `${status} ${JSON.parse(text).code}`);

for (const name of ['nginx', 'caddy'] as const satisfies ProxyName[]) {
  const binary = await findProxy(name);
  const skip =
    binary === null && `${name} is not installed: apt-get install -y --no-install-recommends nginx-light caddy`;

  describe(name, { skip }, () => {
    let proxy: RunningProxy;
    before(async () => {
      const files = { server, partnersCa: partnersCa.ca };
      proxy = await startProxy(name, binary ?? '', { folder: folder.path, gateway: kissi.url, files });
    });
    after(() => proxy.stop());

    test('speaks HTTP/2 with a verified certificate, and asks browsers to come back over https', async () => {
      const session = http2.connect(`https://127.0.0.1:${proxy.httpsPort}`, { ca, servername: HOST });
      const stream = session.request({ ':path': '/health', ':authority': HOST });
      const { promise, resolve, reject } = Promise.withResolvers<http2.IncomingHttpHeaders>();
      stream.once('response', resolve).once('error', reject);
      const headers = await promise;
      assert.deepEqual([headers[':status'], session.alpnProtocol], [200, 'h2']);
      assert.match(String(headers['strict-transport-security']), /max-age=31536000/);
      stream.close();
      session.close();
    });

    test('sends http to https, and keeps metrics inside', async () => {
      const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
      const target = { host: '127.0.0.1', port: proxy.httpPort, path: '/pay/x', headers: { host: HOST }, agent: false };
      http.get(target, resolve).on('error', reject);
      const { statusCode = 0, headers } = await promise.then((reply) => reply.resume());
      assert.ok([301, 308].includes(statusCode), String(statusCode));
      assert.match(String(headers.location), new RegExp(`^https://${RegExp.escape(HOST)}(:\\d+)?/pay/x$`));
      assert.equal((await send(proxy.httpsPort, { path: '/metrics' })).status, 404);
      assert.equal((await send(proxy.httpsPort, { path: '/metrics/' })).status, 404);
    });

    test("the service sees the client's address, whatever the client says", async () => {
      const call = () => signed(listed, kissi);
      assert.equal(codeOf(await send(proxy.httpsPort, { ...call(), from: '127.0.0.9' })), 200);
      const refused = '403 IP_NOT_ALLOWED';
      assert.equal(codeOf(await send(proxy.httpsPort, { ...call(), from: '127.0.0.8' })), refused);
      for (const header of ['x-forwarded-for', 'X-Real-IP', 'Forwarded']) {
        const claimed = header === 'Forwarded' ? 'for=127.0.0.9' : '127.0.0.9';
        const { headers, ...rest } = call();
        const forged = { ...rest, headers: { ...headers, [header]: claimed }, from: '127.0.0.8' };
        assert.equal(codeOf(await send(proxy.httpsPort, forged)), refused, header);
      }
    });

    test("a partner's keys need its certificate, and no other one will do", async () => {
      const call = () => signed(certified, kissi);
      const refused = '403 CERTIFICATE_REQUIRED';
      assert.equal(codeOf(await send(proxy.httpsPort, { ...call(), certificate: own })), 200);
      assert.equal(codeOf(await send(proxy.httpsPort, call())), refused);
      assert.equal(codeOf(await send(proxy.httpsPort, { ...call(), certificate: other })), refused);
      assert.equal(codeOf(await send(proxy.httpsPort, signed(plain, kissi))), 200);
      assert.equal(codeOf(await send(proxy.httpsPort, { ...signed(plain, kissi), certificate: other })), 200);
    });

    test('a certificate that a client writes into the header is worth nothing', async () => {
      const pem = await readFile(own.cert, 'utf8');
      const der = `:${new X509Certificate(pem).raw.toString('base64')}:`;
      for (const value of [der, encodeURIComponent(pem)]) {
        const { headers, ...rest } = signed(certified, kissi);
        const forged = { ...rest, headers: { ...headers, 'Client-Cert': value } };
        assert.equal(codeOf(await send(proxy.httpsPort, forged)), '403 CERTIFICATE_REQUIRED');
      }
    });

    test('a certificate of another authority does not get through', async () => {
      const outcome = await send(proxy.httpsPort, { ...signed(certified, kissi), certificate: foreign }).catch(
        () => null,
      );
      assert.ok(outcome === null || outcome.status === 400, JSON.stringify(outcome));
    });
  });
}
