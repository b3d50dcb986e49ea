// PUT of what GET returned: 200 and no change, on every PUT route; a changed read-only field is refused by name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAgent, newSubAgent } from '../../support/agents.ts';
import { newTrustAccount } from '../../support/bank-files.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { resolvedDocument } from '../../support/openapi.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { apiKey, auditLogs, staffMember, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const admin = await kissi.adminToken();
const call = (method: string, path: string, body?: object, token = admin) =>
  kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });

/** The records of a PUT route: where to read and write each, and the fields that a client can edit. */
interface Resource {
  paths: () => Promise<string[]>;
  put?: string;
  name: string | null;
  /** If there is only a list: finds the record by the last part of its path, which follows a #. */
  find?: (list: Json, id: string) => Json;
  edit: Record<string, unknown>;
  /** A read-only field, if the record does not say when it was created. */
  fixed?: string;
}

async function created(path: string, body: object, name: string): Promise<string> {
  const reply = assertStatus(await call('POST', path, body), 201);
  return `${path}/${reply.json[name].id}`;
}

const ACTIONS: Record<string, string> = {
  'PUT /api/v1/subscribers/:id': 'subscriber',
  'PUT /api/v1/admin/users/:id': 'user',
  'PUT /api/v1/compliance/alerts/:id': 'compliance_alert',
  'PUT /api/v1/compliance/rules/:id': 'compliance_rule',
  'PUT /api/v1/fee-settings': 'fee_setting',
  'PUT /api/v1/admin/partners/:id': 'partner',
  'PUT /api/v1/agents/:id': 'agent',
  'PUT /api/v1/processors/:id': 'processor',
  'PUT /api/v1/webhook-endpoints/:id': 'webhook_endpoint',
  'PUT /api/v1/admin/bulk-payment-limits/:payer_id': 'bulk_row_limit',
  'PUT /api/v1/cards/:serial': 'card',
  'PUT /api/v1/admin/api-keys/:id': 'api_key',
  'PUT /api/v1/admin/approval-policies': 'approval_policy',
  'PUT /api/v1/admin/trust-accounts/:id': 'trust_account',
};

const velocity = { name: 'Many', kind: 'velocity_count', transaction_types: ['transfer_p2p'], outcome: 'flag' };

const RESOURCES: Record<string, Resource> = {
  'PUT /api/v1/subscribers/:id': {
    name: 'subscriber',
    edit: { address: 'Aberdeen' },
    paths: async () => {
      const plain = await bank.wallet(500);
      const full = await bank.wallet(0, {
        ...{ email: 'k@example.com', date_of_birth: '1990-01-02', address: 'Lumley', id_number: 'A1' },
        ...{ id_type: 'PASSPORT', id_document_url: 'https://example.com/1', max_child_cards: 2 },
      });
      await bank.card(full);
      await call('PUT', `/subscribers/${full.id}`, { kyc_level: 3, partner_wallet_id: 'BANK-1' });
      const blocked = await bank.wallet();
      await call('POST', `/subscribers/${blocked.id}/block`, { reason: 'Test' });
      return [plain, full, blocked].map(({ id }) => `/subscribers/${id}`);
    },
  },
  'PUT /api/v1/admin/users/:id': {
    name: 'user',
    edit: { first_name: 'Kadiatu' },
    paths: async () => {
      const { userId } = await newMerchant(kissi);
      const me = (await call('GET', '/admin/me')).json.id;
      return [(await staffMember(kissi, 'support_user')).id, userId, me].map((id) => `/admin/users/${id}`);
    },
  },
  'PUT /api/v1/compliance/alerts/:id': {
    name: 'alert',
    edit: { notes: 'Seen' },
    paths: async () => {
      const alerts = '/compliance/alerts';
      const alert = { severity: 'LOW', description: 'Two\nlines' };
      const [open, noted, closed] = [
        await created(alerts, alert, 'alert'),
        await created(alerts, alert, 'alert'),
        await created(alerts, alert, 'alert'),
      ];
      await call('PUT', noted, { status: 'in_review', notes: ' A note ' });
      await call('POST', `${closed}/resolve`, { resolution: 'Harmless', outcome: 'false_positive' });
      return [open, noted, closed];
    },
  },
  'PUT /api/v1/compliance/rules/:id': {
    name: 'rule',
    edit: { threshold: 77 },
    paths: async () => [
      await created('/compliance/rules', { ...velocity, threshold: 9, window_seconds: 60 }, 'rule'),
      await created('/compliance/rules', { ...velocity, kind: 'amount', threshold: '500' }, 'rule'),
    ],
  },
  'PUT /api/v1/fee-settings': {
    name: null,
    put: '/fee-settings',
    edit: { fee_value: 1.25 },
    paths: async () => {
      const custom = { transaction_type: 'pos_payment', party_type: 'recipient', fee_type: 'flat', fee_value: 0.5 };
      assert.equal((await call('PUT', '/fee-settings', { ...custom, debit_enabled: false })).status, 200);
      return ['/fee-settings/transfer_p2p/sender', '/fee-settings/pos_payment/recipient'];
    },
  },
  'PUT /api/v1/admin/approval-policies': {
    name: 'policy',
    put: '/admin/approval-policies',
    find: ({ policies }, id) => policies.find(({ action }: Json) => action === id),
    edit: { threshold: 77 },
    paths: async () => {
      const policy = { action: 'partners.settle', enabled: true, threshold: 500 };
      assert.equal((await call('PUT', '/admin/approval-policies', policy)).status, 200);
      return ['/admin/approval-policies#/partners.settle', '/admin/approval-policies#/users.change'];
    },
  },
  'PUT /api/v1/webhook-endpoints/:id': {
    name: 'webhook_endpoint',
    edit: { events: ['payment.voided'] },
    paths: async () => {
      const { id } = await newMerchant(kissi);
      const body = { processor_id: id, url: 'https://shop.example/hooks', events: ['payment.completed'] };
      return [await created('/webhook-endpoints', body, 'webhook_endpoint')];
    },
  },
  'PUT /api/v1/admin/bulk-payment-limits/:payer_id': {
    name: 'row_limit',
    edit: { unpaid_rows: 7 },
    fixed: 'payer_id',
    paths: async () => [`/admin/bulk-payment-limits/${(await newMerchant(kissi)).id}`],
  },
  'PUT /api/v1/admin/partners/:id': {
    name: 'partner',
    edit: { max_amount: 900 },
    paths: async () => [
      await created('/admin/partners', { name: 'Plain bank' }, 'partner'),
      await created(
        '/admin/partners',
        { name: 'Bank', webhook_url: 'https://bank.example/', ip_allowlist: ['10.0.0.0/8'], status: 'suspended' },
        'partner',
      ),
    ],
  },
  'PUT /api/v1/agents/:id': {
    name: 'agent',
    edit: { location: 'Makeni' },
    paths: async () => {
      const superAgent = await newAgent(kissi, { commission_tier: 'premium', settlement_mode: 'weekly' });
      const subAgent = await newSubAgent(kissi, superAgent, { location: 'Bo' });
      await call('POST', `/agents/${subAgent.id}/suspend`, { reason: 'Test' });
      return [superAgent, subAgent].map(({ id }) => `/agents/${id}`);
    },
  },
  'PUT /api/v1/cards/:serial': {
    name: 'card',
    edit: { label: 'School', daily_limit: 700 },
    paths: async () => {
      const wallet = await bank.wallet();
      const [plain, retired] = [await bank.card(wallet), await bank.card(wallet)];
      await call('POST', `/cards/${retired}/block`, { reason: 'Lost', permanent: true });
      return [plain, retired].map((serial) => `/cards/${serial}`);
    },
  },
  'PUT /api/v1/processors/:id': {
    name: 'processor',
    edit: { contact_name: 'Kadiatu Sesay' },
    paths: async () => {
      const [active, suspended] = [await newMerchant(kissi), await newMerchant(kissi)];
      await call('POST', `/processors/${suspended.id}/suspend`, { reason: 'Test' });
      return [active, suspended].map(({ id }) => `/processors/${id}`);
    },
  },
  'PUT /api/v1/admin/trust-accounts/:id': {
    name: 'trust_account',
    edit: { name: 'Renamed' },
    paths: async () => {
      const [active, closed] = [await newTrustAccount(kissi, admin), await newTrustAccount(kissi, admin)];
      assert.equal((await call('PUT', `/admin/trust-accounts/${closed.id}`, { status: 'closed' })).status, 200);
      return [active, closed].map(({ id }) => `/admin/trust-accounts/${id}`);
    },
  },
  'PUT /api/v1/admin/api-keys/:id': {
    name: 'api_key',
    edit: { name: 'Renamed', scopes: ['payments:read'] },
    paths: async () => {
      const expires_at = new Date(kissi.clock.now() + 86_400_000).toISOString();
      const [plain, expiring, revoked] = [
        await apiKey(kissi, ['payments:read', 'cards:read']),
        await apiKey(kissi, ['payments:read'], { expires_at, processor_id: (await newMerchant(kissi)).id }),
        await apiKey(kissi, ['payments:read']),
      ];
      await call('DELETE', `/admin/api-keys/${revoked.id}`);
      return [plain, expiring, revoked].map(({ id }) => `/admin/api-keys/${id}`);
    },
  },
};

/** Every field of the record can be changed: commission-tiers.test.ts. */
// test/api/notices/settings.test.ts sends these.
const OF_OTHERS = ['PUT /api/v1/me/notifications', 'PUT /api/v1/admin/notifications'];
const WITHOUT_READ_ONLY = ['PUT /api/v1/admin/commission-tiers', ...OF_OTHERS];

test('every PUT route is tested here and compares the body with the current record', () => {
  const puts = kissi.gateway.routeGroups.flatMap(({ prefix, endpoints }) =>
    endpoints.flatMap(({ method, path, current }) =>
      method === 'PUT' ? [[`PUT ${prefix}${path}`, current] as const] : [],
    ),
  );
  assert.deepEqual(
    puts.map(([route]) => route).toSorted(),
    [...Object.keys(RESOURCES), ...WITHOUT_READ_ONLY].toSorted(),
  );
  for (const [route, current] of puts) assert.ok(current, route);
});

for (const [route, { paths, put, name, find, edit, fixed }] of Object.entries(RESOURCES)) {
  describe(route, () => {
    const read = async (path: string): Promise<Json> => {
      const [target = '', id = ''] = path.split('#/');
      const { json } = await call('GET', target);
      if (find) return find(json, id);
      return name === null ? json : json[name];
    };
    const write = (path: string, body: object) => call('PUT', put ?? path, body);

    test('of exactly the record that GET returned changes nothing', async () => {
      for (const path of await paths()) {
        const resource_id = path
          .split('/')
          .slice(name === null ? 2 : -1)
          .join('/');
        const changes = async () =>
          (await auditLogs(kissi, { resource_id, action: `${ACTIONS[route]}.update` })).length;
        const audited = await changes();
        const record = await read(path);
        kissi.clock.advance(1_000);
        const reply = await write(path, record);
        assert.equal(reply.status, 200, `${path} ${reply.text}`);
        assert.deepEqual(reply.json[name ?? 'setting'], record);
        assert.deepEqual(await read(path), record);
        assert.equal(await changes(), audited, 'nothing is audited');
      }
    });

    test('of the record with one changed field changes that field', async () => {
      const [path = ''] = await paths();
      assertStatus(await write(path, { ...(await read(path)), ...edit }), 200);
      for (const [field, value] of Object.entries(edit)) assert.deepEqual((await read(path))[field], value);
    });

    test('with a changed read-only field is refused by its name and changes nothing', async () => {
      const [path = ''] = await paths();
      const record = await read(path);
      const operation = route.replace('PUT ', '').replaceAll(/:(\w+)/g, '{$1}');
      const { paths: documented } = resolvedDocument(kissi.gateway.app.openApi()) as Json;
      const { properties } = documented[operation].put.requestBody.content['application/json'].schema;
      const readOnly = Object.keys(record).filter((field) => properties[field]?.readOnly);
      assert.ok(
        readOnly.includes(fixed ?? (find ? 'updated_at' : name === null ? 'id' : 'created_at')),
        readOnly.join(),
      );
      for (const field of readOnly) {
        const other = Array.isArray(record[field])
          ? ['transfer_p2p']
          : typeof record[field] === 'number'
            ? 99
            : 'other';
        const reply = await write(path, { ...record, ...edit, [field]: other });
        assertRefused(reply, 400, 'INVALID_REQUEST', field);
        assert.match(reply.json.error, new RegExp(`^${field} `));
      }
      assert.deepEqual(await read(path), record);
    });

    test('documents every field of the record', async () => {
      const [path = ''] = await paths();
      const { paths: documented } = resolvedDocument(kissi.gateway.app.openApi()) as Json;
      const operation = route.replace('PUT ', '').replaceAll(/:(\w+)/g, '{$1}');
      const { properties } = documented[operation].put.requestBody.content['application/json'].schema;
      for (const field of Object.keys(await read(path))) assert.ok(field in properties, field);
    });
  });
}

describe('unchanged fields', () => {
  test('need no permission: an agent may send back a phone number, but not change it', async () => {
    const agent = await staffToken(kissi, 'support_user');
    const { id } = await bank.wallet();
    const { subscriber } = (await call('GET', `/subscribers/${id}`)).json;
    const same = await call('PUT', `/subscribers/${id}`, { ...subscriber, address: 'Lumley' }, agent);
    assert.equal(same.status, 200, same.text);
    assert.equal(same.json.subscriber.address, 'Lumley');
    const raised = { ...same.json.subscriber, kyc_level: 2 };
    assertRefused(await call('PUT', `/subscribers/${id}`, raised, agent), 403, 'FORBIDDEN');
  });

  test('of a role that cannot be assigned are accepted, and the role cannot be assigned', async () => {
    const { userId } = await newMerchant(kissi);
    const renamed = await call('PUT', `/admin/users/${userId}`, { role: 'processor', first_name: 'Fatu' });
    assert.deepEqual(
      [renamed.status, renamed.json.user.role, renamed.json.user.first_name],
      [200, 'processor', 'Fatu'],
    );
    const { id } = await staffMember(kissi, 'support_user');
    const reply = assertRefused(await call('PUT', `/admin/users/${id}`, { role: 'processor' }), 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, /^role must be one of system_admin/);
  });

  test('a closed alert that is sent back stays closed; any change of it is refused', async () => {
    const path = await created('/compliance/alerts', { severity: 'LOW', description: 'x' }, 'alert');
    await call('POST', `${path}/resolve`, { resolution: 'Harmless' });
    const { alert } = (await call('GET', path)).json;
    for (const change of [{ notes: 'more' }, { status: 'open' }, { resolution: 'other' }]) {
      assertRefused(await call('PUT', path, { ...alert, ...change }), 409, 'ALREADY_RESOLVED');
    }
    assertRefused(await call('PUT', path, { status: 'resolved' }), 409, 'ALREADY_RESOLVED');
  });

  test('the default fee that is sent back stays the default; a custom setting is not turned into it', async () => {
    const path = '/fee-settings/wallet_withdraw/sender';
    const record = (await call('GET', path)).json;
    assert.equal(record.is_default, true);
    const { is_default: _, ...values } = record;
    assert.equal((await call('PUT', '/fee-settings', values)).json.setting.is_default, false, 'the default is fixed');
    const reply = assertRefused(await call('PUT', '/fee-settings', record), 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, /^is_default /);
  });

  test('a body without a known field is refused', async () => {
    const { id } = await bank.wallet();
    for (const body of [{}, { nickname: 'K' }, { email: null }]) {
      const reply = assertRefused(await call('PUT', `/subscribers/${id}`, body), 400, 'INVALID_REQUEST');
      assert.match(reply.json.error, /contains no field to change/);
    }
  });
});
