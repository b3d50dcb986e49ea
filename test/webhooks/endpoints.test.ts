// Faulty and hostile webhook endpoints: each attempt ends within its time limit, and private addresses are refused.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { isPrivateAddress } from '../../src/webhooks/address.ts';
import { type Resolve, resolveByDns, resolveBySystem } from '../../src/webhooks/resolve.ts';
import { ATTEMPT_TIMEOUT_MS, createTransport, Interrupted, type Transport } from '../../src/webhooks/transport.ts';
import { waitFor } from '../support/wait.ts';
import { acknowledge, answering, hang, rawReceiver, receiver } from './receiver.ts';

const BODY = Buffer.from('{"event":"credit.completed"}');
/** For attempts that must not time out, even on a loaded machine. */
const LONG_MS = 3_600_000;
/** For attempts that must time out. */
const SHORT = { timeoutMs: 300 };
const noLookup: Resolve = () => assert.fail('an IP address needs no look-up');

const opened: Transport[] = [];
after(() => {
  for (const transport of opened) transport.close();
});

function transport(options: { resolve?: Resolve; allowPrivate?: boolean; timeoutMs?: number } = {}): Transport {
  const made = createTransport({ allowPrivate: true, resolve: noLookup, timeoutMs: LONG_MS, ...options });
  opened.push(made);
  return made;
}

/** The result without the start of the reply, which test/api/partners/webhook-delivery-details.test.ts covers. */
async function post(to: Transport, url: string): Promise<{ status: number | null; error: string | null }> {
  const { reply, ...result } = await to.post({ url: new URL(url), headers: { 'X-Hook-Event': 'x' }, body: BODY });
  assert.equal(reply === null, result.status === null);
  return result;
}

const TIMED_OUT = { status: null, error: 'No response within 0.3 seconds.' };
const ACKNOWLEDGED = { status: 200, error: null };

describe('the time limit', () => {
  test('is 15 seconds per attempt', () => {
    assert.equal(ATTEMPT_TIMEOUT_MS, 15_000);
  });

  test('ends an attempt whose request is never answered', async () => {
    const bank = await receiver(hang);
    assert.deepEqual(await post(transport(SHORT), bank.url), TIMED_OUT);
    await bank.close();
  });

  test('is not extended by a head that arrives byte by byte', async () => {
    const bank = await rawReceiver((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nX-Slow: '.split('');
      const drip = setInterval(() => socket.write(head.shift() ?? 'x'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    assert.deepEqual(await post(transport(SHORT), bank.url), TIMED_OUT);
    await bank.close();
  });

  for (const interim of ['100 Continue', '102 Processing', '103 Early Hints']) {
    test(`ends an attempt with endless interim responses (${interim}) after eight of them`, async () => {
      const bank = await rawReceiver((socket) => {
        const flood = () => {
          while (!socket.destroyed && socket.write(`HTTP/1.1 ${interim}\r\n\r\n`));
        };
        socket.on('drain', flood);
        flood();
      });
      const result = await post(transport(), bank.url);
      assert.deepEqual(result, { status: null, error: 'No final response after 8 interim responses.' });
      await bank.close();
    });
  }

  test('accepts up to eight interim responses before the final one', async () => {
    const bank = await rawReceiver((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(8));
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    assert.deepEqual(await post(transport(), bank.url), ACKNOWLEDGED);
    await bank.close();
  });

  test('includes a name server that never answers', async () => {
    const silent = transport({ ...SHORT, resolve: () => new Promise(() => undefined) });
    assert.deepEqual(await post(silent, 'http://hooks.bank.example/'), TIMED_OUT);
  });
});

describe('bodies', () => {
  test('a 200 with an endless body acknowledges, and the connection is closed', async () => {
    const bank = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const flood = () => {
        while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1024)}\r\n`));
      };
      socket.on('drain', flood);
      flood();
    });
    const to = transport();
    assert.deepEqual(await post(to, bank.url), ACKNOWLEDGED);
    assert.deepEqual(await post(to, bank.url), ACKNOWLEDGED);
    assert.equal(bank.connections(), 2);
    await bank.close();
  });

  test('a 200 with a slow body acknowledges without waiting for its end', async () => {
    const bank = await receiver((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    assert.deepEqual(await post(transport(), bank.url), ACKNOWLEDGED);
    await bank.close();
  });

  test('a 202 whose body is cut off acknowledges', async () => {
    const bank = await rawReceiver((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nhalf');
        setImmediate(() => socket.destroy());
      }),
    );
    assert.deepEqual(await post(transport(), bank.url), { status: 202, error: null });
    await bank.close();
  });

  test('a short body keeps the connection open for the next attempt', async () => {
    let connections = 0;
    const bank = await receiver((response, received, request) => {
      if (request.socket.listenerCount('kissi') === 0) connections++;
      request.socket.on('kissi', () => undefined);
      acknowledge(response, received, request);
    });
    const to = transport();
    for (let i = 0; i < 5; i++) assert.deepEqual(await post(to, bank.url), ACKNOWLEDGED);
    assert.equal(connections, 1);
    await bank.close();
  });
});

describe('failed attempts', () => {
  test('redirects are not followed', async () => {
    const elsewhere = await receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      const bank = await receiver(answering(status, { location: elsewhere.url }));
      assert.deepEqual(await post(transport(), bank.url), {
        status,
        error: `The endpoint responded with ${status}; redirects are not followed.`,
      });
      await bank.close();
    }
    assert.equal(elsewhere.received.length, 0);
    await elsewhere.close();
  });

  const broken: [string, string | null, RegExp][] = [
    ['a reply that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', /not HTTP \(HPE_/],
    ['an endless head', `HTTP/1.1 200 OK\r\n${'X-Long: y\r\n'.repeat(10_000)}`, /not HTTP \(HPE_HEADER_OVERFLOW\)/],
    ['two content lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n', /not HTTP \(HPE_/],
    [
      'a protocol upgrade',
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      /lost \(ECONNRESET\)/,
    ],
    ['a closed connection', null, /lost \(ECONNRESET\)/],
  ];
  for (const [what, bytes, message] of broken) {
    test(`${what} fails the attempt with a message`, async () => {
      const bank = await rawReceiver((socket) =>
        socket.once('data', () => (bytes === null ? socket.destroy() : socket.write(bytes))),
      );
      const { status, error } = await post(transport(), bank.url);
      assert.equal(status, null);
      assert.match(error ?? '', message);
      await bank.close();
    });
  }

  test('a closed port and an unknown host name fail the attempt', async () => {
    const bank = await receiver();
    await bank.close();
    assert.deepEqual(await post(transport(), bank.url), {
      status: null,
      error: 'The connection failed (ECONNREFUSED).',
    });
    const unknown = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    assert.deepEqual(await post(transport({ resolve: unknown }), 'http://nowhere.example/'), {
      status: null,
      error: 'The host name could not be resolved (ENOTFOUND).',
    });
    assert.deepEqual(await post(transport({ resolve: async () => [] }), 'http://nowhere.example/'), {
      status: null,
      error: 'The host name could not be resolved (ENODATA).',
    });
  });

  test('an untrusted certificate is refused before anything is sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kissi-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', cert];
    await promisify(execFile)('openssl', [...request, ...subject]);
    let requests = 0;
    const bank = createTlsServer({ key: await readFile(key), cert: await readFile(cert) }, (_request, response) => {
      requests++;
      response.end();
    });
    bank.listen(0, '127.0.0.1');
    await once(bank, 'listening');
    const { port } = bank.address() as AddressInfo;
    const answer = await post(transport(), `https://127.0.0.1:${port}/`);
    assert.deepEqual(answer, { status: null, error: 'The TLS connection failed (DEPTH_ZERO_SELF_SIGNED_CERT).' });
    const plain = await post(transport(), `http://127.0.0.1:${port}/`);
    assert.equal(plain.status, null);
    assert.equal(requests, 0);
    bank.close();
    const plainReceiver = await receiver();
    const overTls = await post(transport(), plainReceiver.url.replace('http:', 'https:'));
    assert.match(overTls.error ?? '', /^The TLS connection failed \(/);
    await plainReceiver.close();
    await rm(folder, { recursive: true });
  });

  test('an idle connection that the receiver closed does not fail the attempt', async () => {
    let first = true;
    const bank = await rawReceiver((socket) => {
      const isFirst = first;
      first = false;
      let requests = 0;
      socket.on('data', () => {
        // The first connection answers once and is reset at the second request.
        if (isFirst && ++requests > 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const to = transport();
    assert.deepEqual(await post(to, bank.url), ACKNOWLEDGED);
    assert.deepEqual(await post(to, bank.url), ACKNOWLEDGED);
    assert.equal(bank.connections(), 2);
    await bank.close();
  });

  test('an attempt in flight when the service stops is interrupted and does not count', async () => {
    const bank = await receiver(hang);
    const to = transport();
    const inFlight = post(to, bank.url);
    await waitFor('the request is received', () => bank.received.length > 0);
    to.close();
    await assert.rejects(inFlight, Interrupted);
    await bank.close();
  });
});

describe('private addresses', () => {
  const REFUSED = { status: null, error: 'The address is loopback, private or link-local, and was not connected to.' };
  const PRIVATE = [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.251',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2001:0:a00:1::',
    '2002:a00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
  ];
  const PUBLIC = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '169.253.0.1', '192.0.1.1', '2606:4700::1111', '2a00::1'];

  test('are distinguished from public ones', () => {
    assert.deepEqual(
      PRIVATE.filter((address) => !isPrivateAddress(address)),
      [],
    );
    assert.deepEqual(PUBLIC.filter(isPrivateAddress), []);
  });

  test('are refused when a name resolves to them, alone or among public ones, for IPv4 and IPv6', async () => {
    const bank = await receiver();
    const { port } = new URL(bank.url);
    for (const address of PRIVATE) {
      const family = address.includes(':') ? 6 : 4;
      const found = { address, family } as const;
      for (const answer of [[found], [{ address: '8.8.8.8', family: 4 } as const, found]]) {
        const to = transport({ allowPrivate: false, resolve: async () => answer });
        assert.deepEqual(await post(to, `http://hooks.bank.example:${port}/`), REFUSED, address);
      }
    }
    assert.equal(bank.received.length, 0);
    await bank.close();
  });

  test('are refused in the URL in every notation', async () => {
    const bank = await receiver();
    const { port } = new URL(bank.url);
    const notations = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]'];
    for (const host of [...notations, '0.0.0.0', '[::]', '169.254.169.254', '[fe80::1]']) {
      assert.deepEqual(await post(transport({ allowPrivate: false }), `http://${host}:${port}/`), REFUSED, host);
    }
    assert.equal(bank.received.length, 0);
    await bank.close();
  });

  test('DNS rebinding has no effect: a name is resolved once per attempt', async () => {
    const bank = await receiver();
    const { port } = new URL(bank.url);
    let lookups = 0;
    // Resolves to a public address first and to the local machine afterwards.
    const rebinding: Resolve = async () => [{ address: ++lookups === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }];
    const to = transport({ allowPrivate: false, resolve: rebinding, timeoutMs: 150 });
    const first = await post(to, `http://rebind.example:${port}/`);
    assert.equal(first.status, null);
    assert.notDeepEqual(first, REFUSED, 'the public address was tried');
    assert.equal(lookups, 1, 'the checked address is the one connected to');
    assert.deepEqual(await post(to, `http://rebind.example:${port}/`), REFUSED);
    assert.equal(bank.received.length, 0);
    await bank.close();
  });

  test('are allowed by WEBHOOK_ALLOW_PRIVATE, and the name stays in the Host header', async () => {
    const bank = await receiver();
    const { port } = new URL(bank.url);
    const to = transport({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    assert.deepEqual(await post(to, `http://hooks.bank.example:${port}/`), ACKNOWLEDGED);
    assert.equal(bank.received[0]?.headers.host, `hooks.bank.example:${port}`);
    await bank.close();
  });
});

describe('host names', () => {
  /** A name server that resolves one name, does not answer for another, and denies the rest. */
  async function nameServer() {
    const server = createSocket('udp4');
    server.on('message', (query, { port, address }) => {
      const name = query.subarray(12).toString('latin1');
      const question = query.subarray(12, query.indexOf(0, 12) + 5);
      const isV4 = question.readUInt16BE(question.length - 4) === 1;
      if (name.includes('silent')) return;
      const found = name.includes('here') && isV4;
      const flags = name.includes('here') ? 0x8180 : 0x8183;
      const head = Buffer.from([
        query[0] ?? 0,
        query[1] ?? 0,
        flags >> 8,
        flags & 255,
        0,
        1,
        0,
        found ? 1 : 0,
        0,
        0,
        0,
        0,
      ]);
      const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
      server.send(Buffer.concat([head, question, ...(found ? [answer] : [])]), port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  test('are resolved by the name servers: found, denied, or timed out', async () => {
    const server = await nameServer();
    const servers = [`127.0.0.1:${server.address().port}`];
    const resolve = resolveByDns({ servers, timeoutMs: 60_000 });
    assert.deepEqual(await resolve('here.example'), [{ address: '127.0.0.1', family: 4 }]);
    await assert.rejects(resolve('denied.example'), { code: 'ENOTFOUND' });
    await assert.rejects(resolveByDns({ servers, timeoutMs: 50 })('silent.example'), { code: 'ETIMEOUT' });
    const bank = await receiver();
    const { port } = new URL(bank.url);
    assert.deepEqual(await post(transport({ resolve }), `http://here.example:${port}/`), ACKNOWLEDGED);
    server.close();
    await bank.close();
  });

  test('of a private network are resolved by the system', async () => {
    const found = await resolveBySystem('localhost');
    assert.ok(found.some(({ address }) => address === '127.0.0.1' || address === '::1'));
    await assert.rejects(resolveBySystem('nowhere.invalid'), { code: /ENOTFOUND|EAI_AGAIN/ });
  });
});
