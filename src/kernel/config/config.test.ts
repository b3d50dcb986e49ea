// Tests the configuration: its defaults, the report of all faults together, and no example secrets in production.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigFaults, type Environment, loadConfig } from './config.ts';

const SECRET = 'Zk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE';
const CLOSE_SIGNING_KEY = 'pV5yZ0c3Qm1kR2x4TnU4aUg3YkxqN3dFZ0hZMkZrVHM=';
const LONG_LIVED = { JWT_SECRET: SECRET, MASTER_KEY: SECRET, PIN_PEPPER: SECRET, CLOSE_SIGNING_KEY };
/** The secrets that are required outside development. */
const SECRETS = { ...LONG_LIVED, MESSAGING_APP_SECRET: SECRET };
/** What production requires besides them. */
const DECISIONS = { PHONE_VERIFICATION: 'off', APPROVALS: 'off' };

function faultsOf(env: Environment): string[] {
  try {
    loadConfig({ ...DECISIONS, ...env });
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  test('an empty environment yields the documented defaults', () => {
    const config = loadConfig({});
    assert.equal(config.port, 8080);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.dataDir, './data');
    assert.equal(config.databaseUrl, undefined);
    assert.equal(config.appEnv, 'development');
    assert.deepEqual(config.rateLimit, { requestsPerSecond: 100, burst: 200 });
    assert.deepEqual(config.userRateLimit, { requestsPerSecond: 50, burst: 200 });
    assert.equal(config.publicRegistrationPerMinute, 10);
    assert.equal(config.agentFundMax, 1_000_000_000);
    assert.equal(config.treasuryDailyLimit, 10_000_000_000);
    assert.deepEqual([config.partnerCashin.replaySeconds, config.partnerCashin.dailyLimit], [300, 1_000_000_000]);
    assert.equal(config.trustProxy, false);
    assert.equal(config.country, 'SL');
  });

  test('METRICS_TOKEN is optional; a short one is rejected, and in production one that looks like an example', () => {
    assert.equal(loadConfig({}).metricsToken, undefined);
    assert.equal(loadConfig({ METRICS_TOKEN: SECRET }).metricsToken, SECRET);
    assert.deepEqual(faultsOf({ METRICS_TOKEN: 'short' }), ['METRICS_TOKEN must have at least 32 characters.']);
    const weak = 'changeme-changeme-changeme-changeme';
    const production = { ...SECRETS, APP_ENV: 'production' };
    assert.match(faultsOf({ ...production, METRICS_TOKEN: weak })[0] ?? '', /^METRICS_TOKEN looks like a default/);
  });

  test('an empty variable counts as unset', () => {
    assert.equal(loadConfig({ PORT: '', DATABASE_URL: ' ' }).port, 8080);
  });

  test('a number must be written in decimal digits', () => {
    for (const bad of ['80.5', '1e3', '0x50', '-1', '+80', '8 0', 'NaN']) {
      assert.deepEqual(faultsOf({ PORT: bad }), ['PORT must be a whole number from 0 to 65535.'], bad);
    }
    assert.equal(loadConfig({ PORT: ' 80 ' }).port, 80);
  });

  test('all faults are reported together', () => {
    const faults = faultsOf({ PORT: '99999', APP_ENV: 'prod', DATABASE_URL: 'mysql://x', DEFAULT_COUNTRY: 'XX' });
    assert.deepEqual(
      faults.map((fault) => fault.split(' ')[0]),
      ['APP_ENV', 'PORT', 'DATABASE_URL', 'DEFAULT_COUNTRY'],
    );
  });

  test('a database URL may have several hosts and must select the one that accepts writes', () => {
    const several = 'postgresql://u:p@a:5432,b:5432/kissi?sslmode=require';
    for (const url of [
      several,
      `${several}&target_session_attrs=read-write`,
      `${several}&target_session_attrs=primary`,
    ]) {
      assert.equal(loadConfig({ DATABASE_URL: url }).databaseUrl, url);
    }
    assert.equal(faultsOf({ DATABASE_URL: `${several}&target_session_attrs=standby` }).length, 1);
    assert.equal(faultsOf({ DATABASE_URL: 'postgresql://a/kissi?target_session_attrs=any' }).length, 1);
  });

  test('staging and production require the three long-lived secrets and the messaging app secret', () => {
    for (const APP_ENV of ['staging', 'production']) {
      assert.deepEqual(
        faultsOf({ APP_ENV }),
        Object.keys(SECRETS).map((name) => `${name} must be set when APP_ENV is ${APP_ENV}.`),
      );
      assert.equal(faultsOf({ APP_ENV, ...LONG_LIVED }).length, 1);
      assert.deepEqual(faultsOf({ APP_ENV, ...SECRETS }), []);
    }
    assert.deepEqual(faultsOf({ APP_ENV: 'development' }), []);
  });

  test('staging enforces the same secret lengths as production', () => {
    const lengths: Record<string, [accepted: number, unit: string]> = {
      ...Object.fromEntries(
        [...Object.keys(SECRETS), 'METRICS_TOKEN']
          .filter((name) => name !== 'CLOSE_SIGNING_KEY')
          .map((name) => [name, [32, '']]),
      ),
      PARTNER_CASHIN_WEBHOOK_SECRET: [32, ''],
      SERVICE_SECRETS: [16, 'agent'],
    };
    for (const APP_ENV of ['staging', 'production']) {
      for (const [name, [shortest, key]] of Object.entries(lengths)) {
        for (const length of [1, shortest - 1, shortest]) {
          const text = SECRET.slice(0, length);
          const env = { APP_ENV, ...SECRETS, [name]: key === '' ? text : JSON.stringify({ [key]: text }) };
          assert.equal(faultsOf(env).length, length < shortest ? 1 : 0, `${APP_ENV}: ${name} of ${length}`);
        }
      }
    }
  });

  test('short secrets are rejected everywhere, and secrets that look like examples in production', () => {
    assert.equal(faultsOf({ JWT_SECRET: 'short' }).length, 1);
    for (const bad of ['a'.repeat(40), 'changeme-changeme-changeme-changeme', 'default-secret-0123456789-0123456789']) {
      assert.equal(faultsOf({ APP_ENV: 'production', ...SECRETS, MASTER_KEY: bad }).length, 1, bad);
    }
  });

  test('production requires a decision about approvals, and a second factor unless it is told otherwise', () => {
    const fault = 'APPROVALS must be set to recommended or off when APP_ENV is production.';
    assert.deepEqual(faultsOf({ APP_ENV: 'production', ...SECRETS, APPROVALS: '' }), [fault]);
    for (const APP_ENV of ['development', 'staging']) {
      const config = loadConfig({ APP_ENV, ...SECRETS });
      assert.deepEqual([config.approvals, config.secondFactor.required], ['off', false]);
    }
    const production = { APP_ENV: 'production', ...SECRETS, ...DECISIONS, APPROVALS: 'recommended' };
    assert.deepEqual(
      [loadConfig(production).approvals, loadConfig(production).secondFactor.required],
      ['recommended', true],
    );
    assert.equal(loadConfig({ ...production, REQUIRE_SECOND_FACTOR: 'false' }).secondFactor.required, false);
    assert.equal(faultsOf({ APPROVALS: 'on' }).length, 1);
  });

  test('a key that signs closes is 32 bytes or a PEM', () => {
    assert.deepEqual(faultsOf({ CLOSE_SIGNING_KEY: 'x'.repeat(32) }).length, 1);
    for (const key of [CLOSE_SIGNING_KEY, 'ab'.repeat(32), '-----BEGIN PRIVATE KEY-----\nMC4=']) {
      assert.deepEqual(faultsOf({ CLOSE_SIGNING_KEY: key }), [], key);
    }
  });

  test("production rejects service secrets and a first administrator's password that look like examples", () => {
    const production = { APP_ENV: 'production', ...SECRETS };
    const services = { SERVICE_SECRETS: '{"chat": "changemechangeme", "terminal": "k2v9x0q7m4b8c1z5"}' };
    assert.match(faultsOf({ ...production, ...services }).join(), /^SERVICE_SECRETS: chat looks like a default/);
    assert.deepEqual(faultsOf(services), []);
    const admin = { BOOTSTRAP_ADMIN_EMAIL: 'a@bank.sl', BOOTSTRAP_ADMIN_PASSWORD: 'Changeme1!' };
    assert.match(faultsOf({ ...production, ...admin }).join(), /^BOOTSTRAP_ADMIN_PASSWORD looks like a default/);
    assert.deepEqual(faultsOf(admin), []);
  });

  test('the secret of cash-in notifications is optional, and must be strong outside development', () => {
    const { webhookSecret, partnerId } = loadConfig({}).partnerCashin;
    assert.deepEqual([webhookSecret, partnerId], [undefined, undefined]);
    const name = 'PARTNER_CASHIN_WEBHOOK_SECRET';
    assert.equal(loadConfig({ [name]: 'short' }).partnerCashin.webhookSecret, 'short');
    const weak = 'changeme-changeme-changeme-changeme';
    for (const APP_ENV of ['staging', 'production']) {
      assert.equal(faultsOf({ APP_ENV, ...SECRETS, [name]: 'short' }).length, 1);
      assert.equal(faultsOf({ APP_ENV, ...SECRETS, [name]: weak }).length, APP_ENV === 'production' ? 1 : 0);
      assert.deepEqual(faultsOf({ APP_ENV, ...SECRETS, [name]: SECRET }), []);
    }
  });

  test('related messaging variables must be set together', () => {
    const { messaging } = loadConfig({});
    assert.deepEqual(
      [messaging.platform, messaging.agentService, messaging.bridgePerMinute],
      [undefined, undefined, 30],
    );
    const platform = { MESSAGING_API_URL: 'https://graph.example.com/v20.0/1/messages', MESSAGING_API_TOKEN: 'x' };
    assert.deepEqual(loadConfig(platform).messaging.platform, { url: platform.MESSAGING_API_URL, token: 'x' });
    assert.equal(faultsOf({ MESSAGING_API_TOKEN: 'x' }).length, 1);
    assert.equal(faultsOf({ ...platform, MESSAGING_API_TOKEN: '' }).length, 1);
    const production = { APP_ENV: 'production', ...SECRETS };
    assert.equal(faultsOf({ ...production, ...platform, MESSAGING_API_URL: 'http://graph.example.com/' }).length, 1);
    assert.equal(faultsOf({ ...production, MESSAGING_APP_SECRET: 'short' }).length, 1);
    assert.deepEqual(faultsOf({ ...production, MESSAGING_VERIFY_TOKEN: 'x', MESSAGING_APP_SECRET: SECRET }), []);
  });

  test('the agent service is called under a name in SERVICE_SECRETS, by default the only one', () => {
    const url = { AGENT_SERVICE_URL: 'http://127.0.0.1:9100/chat' };
    const [one, two] = ['{"a": "0123456789abcdef"}', '{"a": "0123456789abcdef", "b": "fedcba9876543210"}'];
    const identity = (env: Environment) => loadConfig({ ...url, ...env }).messaging.agentService?.identity;
    assert.equal(identity({}), undefined);
    assert.deepEqual(identity({ SERVICE_SECRETS: one }), { name: 'a', secret: '0123456789abcdef' });
    assert.equal(identity({ SERVICE_SECRETS: two }), undefined);
    assert.equal(identity({ SERVICE_SECRETS: two, AGENT_SERVICE_NAME: 'b' })?.secret, 'fedcba9876543210');
    assert.equal(faultsOf({ ...url, SERVICE_SECRETS: two, AGENT_SERVICE_NAME: 'c' }).length, 1);
    assert.equal(faultsOf({ ...url, APP_ENV: 'staging', ...SECRETS, SERVICE_SECRETS: two }).length, 1);
    for (const bad of ['ftp://x/', 'x', 'http://u:p@x/', 'http://x/a|b', 'http://x/#a']) {
      assert.equal(faultsOf({ AGENT_SERVICE_URL: bad }).length, 1, bad);
    }
  });

  test('SERVICE_SECRETS maps names to secrets of at least 16 characters', () => {
    const config = loadConfig({ SERVICE_SECRETS: '{"agent":"0123456789abcdef"}' });
    assert.equal(config.serviceSecrets.get('agent'), '0123456789abcdef');
    for (const bad of ['[]', 'x', '{"agent":"short"}', '{"agent":1}', 'null']) {
      assert.equal(faultsOf({ SERVICE_SECRETS: bad }).length, 1, bad);
    }
  });

  test('the email and the password of the first administrator must be set together', () => {
    assert.equal(faultsOf({ BOOTSTRAP_ADMIN_EMAIL: 'a@b.co' }).length, 1);
    assert.deepEqual(faultsOf({ BOOTSTRAP_ADMIN_EMAIL: 'a@b.co', BOOTSTRAP_ADMIN_PASSWORD: 'Abcdef1!' }), []);
  });

  test('TRUST_PROXY is a boolean, a number of hops or a list of addresses', () => {
    assert.equal(loadConfig({ TRUST_PROXY: 'true' }).trustProxy, true);
    assert.equal(loadConfig({ TRUST_PROXY: '2' }).trustProxy, 2);
    assert.equal(loadConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy, '10.0.0.0/8, ::1');
    assert.equal(faultsOf({ TRUST_PROXY: 'everyone' }).length, 1);
  });

  test('outside development TRUST_PROXY must not trust every address', () => {
    for (const APP_ENV of ['staging', 'production']) {
      const ofIpv6 = ['2000::/4', '2000::/15', '::ffff:0:0/96', '::ffff:0.0.0.0/97', '0:0:0:1::/32', '::/80'];
      const ofIpv4 = ['0.0.0.0/0', '10.0.0.1, 0.0.0.0/0', '0.0.0.0/1,128.0.0.0/1', '64.0.0.0/4'];
      for (const everyone of ['true', '11', '1000000', '::/0', ...ofIpv4, ...ofIpv6]) {
        const [fault = '', ...others] = faultsOf({ APP_ENV, ...SECRETS, TRUST_PROXY: everyone });
        assert.match(fault, /^TRUST_PROXY must .*number of hops/, everyone);
        assert.deepEqual(others, []);
      }
      const blocks = ['10.0.0.0/8', '127.0.0.1, ::1, 2001:db8::/32', 'fc00::/7', 'fe80::/64', '::ffff:10.0.0.0/104'];
      for (const proxies of ['false', '0', '1', '3', '10', ...blocks]) {
        assert.deepEqual(faultsOf({ APP_ENV, ...SECRETS, TRUST_PROXY: proxies }), [], proxies);
      }
    }
    assert.deepEqual(faultsOf({ TRUST_PROXY: '0.0.0.0/0' }), []);
  });

  test('DOCS, CONSOLE, WALLET and SERVICE_BODY_HASH accept only the documented values', () => {
    assert.deepEqual([loadConfig({}).docs, loadConfig({ DOCS: 'off' }).docs], [true, false]);
    assert.deepEqual([loadConfig({}).console, loadConfig({ CONSOLE: 'off' }).console], [true, false]);
    assert.deepEqual([loadConfig({}).wallet, loadConfig({ WALLET: 'off' }).wallet], [true, false]);
    assert.equal(loadConfig({}).serviceBodyHash, 'optional');
    for (const bad of ['true', 'no', 'OFF']) assert.equal(faultsOf({ DOCS: bad }).length, 1, bad);
    assert.equal(faultsOf({ CONSOLE: 'false' }).length, 1);
    assert.equal(faultsOf({ SERVICE_BODY_HASH: 'yes' }).length, 1);
  });
});

describe('the second factor', () => {
  const outside = {
    APP_ENV: 'staging',
    JWT_SECRET: 'jwt-0123456789-abcdefghijklmnopqrstuv',
    MASTER_KEY: 'key-0123456789-abcdefghijklmnopqrstuv',
    PIN_PEPPER: 'pin-0123456789-abcdefghijklmnopqrstuv',
    CLOSE_SIGNING_KEY,
    MESSAGING_APP_SECRET: 'app-0123456789-abcdefghijklmnopqrstuv',
  };
  const siteOf = (env: Environment) => loadConfig(env).secondFactor.webauthn;

  test('is optional, and passkeys belong to localhost in development', () => {
    assert.equal(loadConfig({}).secondFactor.required, false);
    assert.equal(loadConfig({ REQUIRE_SECOND_FACTOR: 'true' }).secondFactor.required, true);
    assert.deepEqual(siteOf({ PORT: '9000' }), { rpId: 'localhost', origins: ['http://localhost:9000'] });
  });

  test('passkeys are off outside development without PUBLIC_ORIGIN, and belong to its host otherwise', () => {
    assert.equal(siteOf(outside), null);
    const origins = 'https://console.bank.test, https://admin.bank.test';
    assert.deepEqual(siteOf({ ...outside, PUBLIC_ORIGIN: 'https://console.bank.test' }), {
      rpId: 'console.bank.test',
      origins: ['https://console.bank.test'],
    });
    assert.deepEqual(siteOf({ ...outside, PUBLIC_ORIGIN: origins, WEBAUTHN_RP_ID: 'bank.test' }), {
      rpId: 'bank.test',
      origins: ['https://console.bank.test', 'https://admin.bank.test'],
    });
  });

  test('origins that are not origins, not https, or not of the site are faults', () => {
    for (const [env, fault] of [
      [{ PUBLIC_ORIGIN: 'https://console.bank.test/path' }, /PUBLIC_ORIGIN/],
      [{ PUBLIC_ORIGIN: 'https://console.bank.test/' }, /PUBLIC_ORIGIN/],
      [{ PUBLIC_ORIGIN: 'https://10.0.0.1' }, /PUBLIC_ORIGIN/],
      [{ PUBLIC_ORIGIN: 'console.bank.test' }, /PUBLIC_ORIGIN/],
      [{ PUBLIC_ORIGIN: 'http://console.bank.test' }, /PUBLIC_ORIGIN must consist of https/],
      [{ PUBLIC_ORIGIN: 'https://a.bank.test,https://b.bank.test' }, /WEBAUTHN_RP_ID must be the host/],
      [{ PUBLIC_ORIGIN: 'https://console.bank.test', WEBAUTHN_RP_ID: 'other.test' }, /WEBAUTHN_RP_ID must be the host/],
      [{ PUBLIC_ORIGIN: 'https://console.bank.test', WEBAUTHN_RP_ID: 'test' }, /WEBAUTHN_RP_ID must be the host/],
      [{ WEBAUTHN_RP_ID: 'bank.test' }, /WEBAUTHN_RP_ID needs PUBLIC_ORIGIN/],
    ] as const) {
      assert.throws(() => loadConfig({ ...outside, ...env }), fault, JSON.stringify(env));
    }
  });

  test("fingerprints of partners' certificates need proxies that are named", () => {
    const fingerprint = `${'AB:'.repeat(31)}CD`;
    const PARTNER_CERTIFICATES = JSON.stringify({ ptn_1: `${fingerprint},${'0f'.repeat(32)}` });
    const { partnerCertificates } = loadConfig({ PARTNER_CERTIFICATES, TRUST_PROXY: '10.0.0.7' });
    assert.deepEqual([...partnerCertificates], [['ptn_1', [`${'ab'.repeat(31)}cd`, '0f'.repeat(32)]]]);
    for (const TRUST_PROXY of ['', '1', 'true'])
      assert.equal(faultsOf({ PARTNER_CERTIFICATES, TRUST_PROXY }).length, 1);
    for (const bad of ['{"ptn_1": "ab"}', `{"bank": "${fingerprint}"}`, '[]']) {
      assert.equal(faultsOf({ PARTNER_CERTIFICATES: bad, TRUST_PROXY: '10.0.0.7' }).length, 1, bad);
    }
  });
});
