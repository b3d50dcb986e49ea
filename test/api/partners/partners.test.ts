// Tests partner administration: records, validation, webhook secrets and permissions.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createVault } from '../../../src/auth/vault.ts';
import { DAY_MS, iso, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import {
  assertStatus,
  type CallReply,
  gatewayForFile,
  type Json,
  SECRETS,
  testGateway,
} from '../../support/gateway.ts';
import { apiKey, auditLogs, staffToken, withLockContention } from '../../support/staff.ts';

const PATH = '/api/v1/admin/partners';

const kissi = await gatewayForFile();
let admin: string;
beforeEach(async () => {
  admin = await kissi.adminToken();
});

const create = (body: unknown, token = admin) => kissi.call('POST', PATH, { body, token });
const get = (id: string) => kissi.call('GET', `${PATH}/${id}`, { token: admin });
const update = (id: string, body: unknown) => kissi.call('PUT', `${PATH}/${id}`, { body, token: admin });
const list = (query: string) => kissi.call('GET', `${PATH}?${query}`, { token: admin });
const rotate = async (id: string, query = '', body?: object) =>
  kissi.call('POST', `${PATH}/${id}/rotate-webhook-secret${query}`, { body, token: await kissi.adminToken() });
const signingSecrets = async (id: string) => (await kissi.gateway.services.partners.webhookEndpoint(id))?.secrets ?? [];

async function partner(extra: Record<string, unknown> = {}): Promise<Json> {
  return assertStatus(await create({ name: 'Rokel Bank', ...extra }), 201).json.partner;
}

function assertRefused(reply: CallReply, code: string, sentence: RegExp): void {
  assert.equal(reply.json?.code, code, `${reply.status} ${reply.text}`);
  assert.match(reply.json.error, sentence);
}

const PARTNER = {
  name: 'Sierra Bank',
  webhook_url: 'https://bank.example/hooks?tenant=7',
  ip_allowlist: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
  min_amount: 100,
  max_amount: '2000000',
  outstanding_limit: 0,
  status: 'suspended',
};

describe('creating a partner', () => {
  test('returns 201 with the record and the webhook secret, which is not shown again', async () => {
    const { status, json } = await create({ ...PARTNER, id: 'ptn_mine', outstanding: 5, webhook_secret: 'mine' });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json).sort(), ['message', 'partner', 'success', 'webhook_secret']);
    const now = iso(kissi.clock.now());
    const { id } = json.partner;
    assert.match(id, /^ptn_[0-9A-Z]{26}$/);
    const times = { created_at: now, updated_at: now };
    assert.deepEqual(json.partner, { id, ...PARTNER, max_amount: 2_000_000, outstanding: 0, ...times });
    assert.match(json.webhook_secret, /^[\w-]{43}$/);
    const shown = await get(id);
    assert.deepEqual([shown.status, shown.json], [200, { partner: json.partner }]);
  });

  test('with only a name applies the defaults', async () => {
    const { id, created_at, updated_at, ...fields } = await partner({ name: '  Ecobank ' });
    assert.ok(id && created_at && updated_at);
    assert.deepEqual(fields, {
      name: 'Ecobank',
      webhook_url: null,
      ip_allowlist: [],
      min_amount: 1,
      max_amount: 50_000_000,
      outstanding_limit: 1_000_000_000,
      outstanding: 0,
      status: 'active',
    });
  });

  test('opens a clearing account with the outstanding limit as floor and zero as ceiling', async () => {
    const { id } = await partner();
    const account = kissi.db.database.queries.selectFrom('accounts').selectAll().where('id', '=', id);
    const { kind, balance, floor, ceiling, frozen } = await account.executeTakeFirstOrThrow();
    assert.deepEqual([kind, balance, floor, ceiling, frozen], ['partner_clearing', 0, -1_000_000_000, 0, false]);
  });

  test('writes an audit entry with the fields and without the secret', async () => {
    const { json } = await create(PARTNER);
    const [entry, ...more] = await auditLogs(kissi, { resource_id: json.partner.id });
    assert.equal(more.length, 0);
    assert.deepEqual([entry.action, entry.resource_type], ['partner.create', 'partner']);
    assert.deepEqual(entry.details, { ...PARTNER, max_amount: 2_000_000 });
    assert.ok(!JSON.stringify(entry).includes(json.webhook_secret));
  });

  test('with invalid fields creates neither a partner nor an account', async () => {
    const count = async () => (await list('')).json.total_count;
    const accounts = async () =>
      (
        await kissi.db.database.queries
          .selectFrom('accounts')
          .select('id')
          .where('kind', '=', 'partner_clearing')
          .execute()
      ).length;
    const before = [await count(), await accounts()];
    assertRefused(await create({ name: 'Bank', min_amount: 2, max_amount: 1 }), 'INVALID_REQUEST', /^min_amount/);
    assert.deepEqual([await count(), await accounts()], before);
  });

  test('allows API keys for the partner', async () => {
    const { id } = await partner();
    const { id: keyId } = await apiKey(kissi, ['inbound:read'], { partner_id: id });
    assert.match(keyId, /^key_/);
  });
});

describe('partner fields', () => {
  const invalid: [string, RegExp, Record<string, unknown>][] = [
    ['INVALID_REQUEST', /^name/, { name: '' }],
    ['INVALID_REQUEST', /^name/, { name: '   ' }],
    ['INVALID_REQUEST', /^name/, { name: 'x'.repeat(101) }],
    ['INVALID_REQUEST', /^status/, { status: 'terminated' }],
    ['INVALID_REQUEST', /^min_amount/, { min_amount: 5, max_amount: 4 }],
    ['INVALID_REQUEST', /^max_amount/, { max_amount: [1] }],
    ['INVALID_REQUEST', /^ip_allowlist/, { ip_allowlist: '10.0.0.0/8' }],
    ['INVALID_REQUEST', /^ip_allowlist/, { ip_allowlist: Array.from({ length: 101 }, () => '203.0.113.1') }],
    ['INVALID_REQUEST', /^webhook_url/, { webhook_url: 7 }],
    ['INVALID_REQUEST', /^webhook_url/, { webhook_url: `https://bank.example/${'x'.repeat(2_048)}` }],
  ];
  for (const value of [0, -1, 1.5, 2 ** 53, '1e3', '-1', '1.0', '', ' 1', '0x10', '٣', '9007199254740992']) {
    for (const field of ['min_amount', 'max_amount']) {
      invalid.push(['INVALID_AMOUNT', new RegExp(`^${field}`), { [field]: value }]);
    }
    if (value !== 0) invalid.push(['INVALID_AMOUNT', /^outstanding_limit/, { outstanding_limit: value }]);
  }
  const NOT_CIDR = ['10.0.0.0/33', '10.0.0', '300.1.1.1', '10.0.0.0/', '10.0.0.0/08', '10.0.0.0/-1', '2001:db8::/129'];
  for (const entry of [...NOT_CIDR, 'fe80::1%eth0', '*', '0', 'localhost', '10.0.0.0/8/8', '10.0.0.0-10.0.0.9', '']) {
    invalid.push(['INVALID_REQUEST', /^ip_allowlist/, { ip_allowlist: ['203.0.113.1', entry] }]);
  }
  const NOT_WEB = [
    ' ',
    'bank.example',
    'ftp://bank.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'x',
  ];
  for (const url of [...NOT_WEB, 'http://user:secret@bank.example/', 'https://user@bank.example/', 'http://[::1']) {
    invalid.push(['INVALID_REQUEST', /^webhook_url/, { webhook_url: url }]);
  }

  test('are rejected by name if invalid, on create and on update', async () => {
    const { id } = await partner();
    const before = (await get(id)).json;
    for (const [code, sentence, changes] of invalid) {
      assertRefused(await create({ name: 'Bank', ...changes }), code, sentence);
      assertRefused(await update(id, changes), code, sentence);
    }
    assert.deepEqual((await get(id)).json, before);
  });

  const PRIVATE = [
    'http://localhost/',
    'http://LOCALHOST:8080/',
    'http://localhost./',
    'http://api.localhost/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
  ];

  test('webhook_url must not point to a private network, in any notation', async () => {
    for (const webhook_url of PRIVATE) {
      assertRefused(await create({ name: 'Bank', webhook_url }), 'INVALID_REQUEST', /^webhook_url must not point to/);
    }
    const PUBLIC = [
      'https://172.32.0.1/',
      'http://11.0.0.1/',
      'https://[2606:4700::1111]/',
      'https://localhost.example/',
    ];
    for (const webhook_url of PUBLIC) assert.equal((await partner({ webhook_url })).webhook_url, webhook_url);
  });

  test('webhook_url may be private with WEBHOOK_ALLOW_PRIVATE=true', async () => {
    const own = await testGateway({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
    try {
      const token = await own.adminToken();
      for (const webhook_url of ['http://127.0.0.1:9000/hook', 'http://localhost/', 'http://[::1]/']) {
        assert.equal((await own.call('POST', PATH, { body: { name: 'Bank', webhook_url }, token })).status, 201);
      }
    } finally {
      await own.close();
    }
  });
});

describe('updating a partner', () => {
  test('changes only the given fields and logs each old and new value', async () => {
    const created = await partner(PARTNER);
    kissi.clock.advance(MINUTE_MS);
    admin = await kissi.adminToken();
    const changes = { webhook_url: '', ip_allowlist: [], outstanding_limit: '700', status: 'active' };
    const { status, json } = await update(created.id, {
      ...changes,
      name: PARTNER.name,
      id: created.id,
      outstanding: created.outstanding,
    });
    assert.equal(status, 200);
    const after = {
      ...created,
      ...changes,
      webhook_url: null,
      outstanding_limit: 700,
      updated_at: iso(kissi.clock.now()),
    };
    assert.deepEqual(json.partner, after);
    assert.deepEqual((await get(created.id)).json.partner, after);
    const [entry] = await auditLogs(kissi, { resource_id: created.id, action: 'partner.update' });
    assert.deepEqual(entry.details, {
      webhook_url: { from: PARTNER.webhook_url, to: null },
      ip_allowlist: { from: PARTNER.ip_allowlist, to: [] },
      outstanding_limit: { from: 0, to: 700 },
      status: { from: 'suspended', to: 'active' },
    });
  });

  test('with the current values changes and logs nothing', async () => {
    const created = await partner(PARTNER);
    kissi.clock.advance(SECOND_MS);
    const { json } = await update(created.id, { name: PARTNER.name, ip_allowlist: PARTNER.ip_allowlist });
    assert.deepEqual(json.partner, created);
    assert.equal((await auditLogs(kissi, { resource_id: created.id, action: 'partner.update' })).length, 0);
  });

  test('keeps min_amount at or below max_amount, even with concurrent updates of both', async () => {
    const { id } = await partner({ min_amount: 10, max_amount: 20 });
    assertRefused(await update(id, { min_amount: 21 }), 'INVALID_REQUEST', /^min_amount/);
    assertRefused(await update(id, { max_amount: 9 }), 'INVALID_REQUEST', /^min_amount/);
    const replies = await withLockContention(kissi, {
      lock: `select from partners where id = '${id}' for update`,
      waiters: 2,
      begin: () => Promise.all([update(id, { min_amount: 16 }), update(id, { max_amount: 15 })]),
    });
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
    const { min_amount, max_amount } = (await get(id)).json.partner;
    assert.ok(min_amount <= max_amount);
  });

  test('without a known field is rejected with 400; of an unknown partner with 404', async () => {
    const { id } = await partner();
    assertRefused(await update(id, {}), 'INVALID_REQUEST', /contains no field/);
    assertRefused(await update(id, { webhook_secret: 'mine' }), 'INVALID_REQUEST', /contains no field/);
    assertRefused(await update('ptn_unknown', { name: 'X' }), 'NOT_FOUND', /no such partner/);
    assertRefused(await get('ptn_unknown'), 'NOT_FOUND', /no such partner/);
  });

  test('to suspended invalidates its keys from the next request', async () => {
    const { id } = await partner();
    const { key } = await apiKey(kissi, ['payments:read'], { partner_id: id });
    const list = () => kissi.call('GET', '/api/v1/transactions', { token: key });
    assert.equal((await list()).status, 200);
    await update(id, { status: 'suspended' });
    const refused = await list();
    assert.deepEqual([refused.status, refused.json.code], [403, 'PARTNER_SUSPENDED']);
  });
});

describe('listing partners', () => {
  test('is newest first and paginated, and filters by status and part of the name', async () => {
    const own = await testGateway();
    try {
      const token = await own.adminToken();
      const names = ['Alpha 100%', 'Beta_Bank', 'gamma bank'];
      for (const [index, name] of names.entries()) {
        own.clock.advance(1);
        const status = index === 1 ? 'suspended' : 'active';
        assert.equal((await own.call('POST', PATH, { body: { name, status }, token })).status, 201);
      }
      const found = async (query: string) => {
        const { json } = await own.call('GET', `${PATH}?${query}`, { token });
        const { partners, total_count, limit, offset } = json;
        return [partners.map(({ name }: Json) => name), total_count, limit, offset];
      };
      assert.deepEqual(await found(''), [[...names].reverse(), 3, 50, 0]);
      assert.deepEqual(await found('limit=1&offset=1'), [['Beta_Bank'], 3, 1, 1]);
      assert.deepEqual(await found('status=active&limit=1000'), [['gamma bank', 'Alpha 100%'], 2, 100, 0]);
      assert.deepEqual(await found('search=BANK'), [['gamma bank', 'Beta_Bank'], 2, 50, 0]);
      assert.deepEqual(await found('search=%25'), [['Alpha 100%'], 1, 50, 0]);
      assert.deepEqual(await found('search=_&status=active'), [[], 0, 50, 0]);
      for (const query of ['status=gone', 'limit=-1', 'offset=x', 'search=']) {
        assert.equal((await own.call('GET', `${PATH}?${query}`, { token })).status, 400, query);
      }
    } finally {
      await own.close();
    }
  });
});

describe('the webhook secret', () => {
  test('is stored encrypted and bound to the partner, and never shown or logged again', async () => {
    const { json } = await create({ name: 'Bank' });
    const { webhook_secret: secret, partner: created } = json;
    const { webhook_secret: second } = (await rotate(created.id)).json;
    const rows = await kissi.db.database.queries
      .selectFrom('partner_webhook_secrets')
      .selectAll()
      .where('partner_id', '=', created.id)
      .orderBy('id')
      .execute();
    const vault = createVault(SECRETS.MASTER_KEY);
    assert.deepEqual(
      rows.map(({ sealed_secret }) => vault.open(sealed_secret, created.id)),
      [secret, second],
    );
    for (const { sealed_secret } of rows) assert.throws(() => vault.open(sealed_secret, 'ptn_another'));
    const replies = [await get(created.id), await list(''), await update(created.id, { name: 'Other' })];
    const audited = JSON.stringify(await auditLogs(kissi, { resource_id: created.id }));
    for (const text of [...replies.map((reply) => reply.text), audited, kissi.logs()]) {
      assert.ok(!text.includes(secret) && !text.includes(second) && !text.includes('webhook_secret"'));
    }
  });

  test('after a rotation is the previous one of the new one until previous_valid_until', async () => {
    const { json } = await create({ name: 'Bank' });
    const { id } = json.partner;
    const { json: rotated } = assertStatus(await rotate(id), 200);
    const fields = ['activate_at', 'message', 'previous_valid_until', 'success', 'webhook_secret'];
    assert.deepEqual(Object.keys(rotated).sort(), fields);
    assert.equal(rotated.activate_at, iso(kissi.clock.now()));
    assert.equal(rotated.previous_valid_until, iso(kissi.clock.now() + DAY_MS));
    assert.notEqual(rotated.webhook_secret, json.webhook_secret);
    assert.deepEqual(await signingSecrets(id), [rotated.webhook_secret, json.webhook_secret]);
    kissi.clock.advance(DAY_MS - 1);
    assert.equal((await signingSecrets(id)).length, 2);
    kissi.clock.advance(1);
    assert.deepEqual(await signingSecrets(id), [rotated.webhook_secret]);
    const [entry] = await auditLogs(kissi, { resource_id: id, action: 'partner.rotate_secret' });
    const { activate_at, previous_valid_until } = rotated;
    assert.deepEqual(entry.details, { activate_at, previous_valid_until });
  });

  test('rotated again keeps only the one before as the previous one', async () => {
    const { id } = await partner();
    const second = (await rotate(id, '?overlap_seconds=1000')).json.webhook_secret;
    const third = (await rotate(id, '?overlap_seconds=10')).json.webhook_secret;
    assert.deepEqual(await signingSecrets(id), [third, second]);
    kissi.clock.advance(10 * SECOND_MS);
    assert.deepEqual(await signingSecrets(id), [third]);
    const fourth = (await rotate(id, '?overlap_seconds=0')).json.webhook_secret;
    assert.deepEqual(await signingSecrets(id), [fourth]);
  });

  test('can be announced: activate_at is at most 90 days ahead and not in the past', async () => {
    const { id } = await partner();
    const activateAt = kissi.clock.now() + 90 * DAY_MS;
    for (const bad of ['soon', '', '2026-13-01T00:00:00Z', iso(kissi.clock.now() - 1), iso(activateAt + 1), 7]) {
      assertRefused(await rotate(id, '', { activate_at: bad }), 'INVALID_REQUEST', /^activate_at/);
    }
    assert.equal((await signingSecrets(id)).length, 1);
    const { json } = await rotate(id, '?overlap_seconds=60', { activate_at: iso(activateAt) });
    assert.equal(json.activate_at, iso(activateAt));
    assert.equal(json.previous_valid_until, iso(activateAt + 60 * SECOND_MS));
  });

  test('rotated concurrently leaves one secret without an end', async () => {
    const { id } = await partner();
    const token = await kissi.adminToken();
    const path = `${PATH}/${id}/rotate-webhook-secret?overlap_seconds=0`;
    const replies = await withLockContention(kissi, {
      lock: `select from partners where id = '${id}' for update`,
      waiters: 3,
      begin: () => Promise.all(Array.from({ length: 3 }, () => kissi.call('POST', path, { token }))),
    });
    const [current, ...others] = await signingSecrets(id);
    assert.equal(others.length, 0);
    assert.ok(replies.some(({ json }) => json.webhook_secret === current));
  });

  test('is rotated only for an existing partner and with an overlap of at most 90 days', async () => {
    assertRefused(await rotate('ptn_unknown'), 'NOT_FOUND', /no such partner/);
    const { id } = await partner();
    for (const overlap of ['-1', '1.5', 'x', '', '7776001', '99999999']) {
      assertRefused(await rotate(id, `?overlap_seconds=${overlap}`), 'INVALID_REQUEST', /^overlap_seconds/);
    }
    assert.equal((await signingSecrets(id)).length, 1);
  });
});

describe('permissions', () => {
  test('other roles than system_admin, and API keys, get 403, except that finance reads; refused changes are in the audit log', async () => {
    kissi.clock.advance(1);
    const { id } = await partner();
    const finance = await staffToken(kissi, 'finance_user');
    const { key } = await apiKey(kissi, ['payments:write', 'inbound:write', 'inbound:read'], { partner_id: id });
    for (const token of [finance, key]) {
      for (const [method, path] of [
        ['POST', PATH],
        ['GET', PATH],
        ['GET', `${PATH}/${id}`],
        ['PUT', `${PATH}/${id}`],
        ['POST', `${PATH}/${id}/rotate-webhook-secret`],
        ['POST', `${PATH}/${id}/settle`],
      ] as const) {
        const body = method === 'GET' ? {} : { body: { name: 'X', amount: 1 } };
        const reply = await kissi.call(method, path, { ...body, token });
        const expected = token === finance && method === 'GET' ? [200, undefined] : [403, 'FORBIDDEN'];
        assert.deepEqual([reply.status, reply.json.code], expected, `${method} ${path}`);
      }
    }
    for (const action of ['create', 'update', 'rotate_secret', 'settle']) {
      const [entry] = await auditLogs(kissi, { action: `partner.${action}.refused` });
      assert.equal(entry.details.code, 'FORBIDDEN', action);
    }
    assert.equal((await signingSecrets(id)).length, 1);
  });
});
