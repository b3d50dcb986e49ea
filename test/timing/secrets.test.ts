// The time of a refusal does not reveal whether the name or the secret was wrong.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { credentialHeaders, type Keyring, serviceHeaders, type Unsigned } from '../hostile/credentials.ts';
import type { Scheme } from '../hostile/operations.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { partnerBank } from '../support/partner.ts';
import { apiKey, type Staff, staffMember } from '../support/staff.ts';
import { Wire } from '../support/wire.ts';
import { compare, describeRounds, isDistinguishable, type Probe } from './compare.ts';

const SERVICE = { name: 'ledger-ui', secret: 'a service secret of this test' };
const ROUNDS = 4;
/** Samples of each kind per round: enough to detect a look-up that ends early for an unknown key. */
const SAMPLES = 900;
const source = seededRandom(Number(process.env.TIMING_SEED ?? 1));

let kissi: TestGateway;
let wire: Wire;
let keyring: Keyring;
before(async () => {
  kissi = await testGateway({ env: { SERVICE_SECRETS: JSON.stringify({ [SERVICE.name]: SERVICE.secret }) } });
  wire = new Wire(kissi.url);
  const terminal = await apiKey(kissi, ['payments:write']);
  const bank = await partnerBank(kissi);
  const partner = { ...bank.key, partnerId: bank.id };
  keyring = { bearers: [], terminal, partner, service: SERVICE, webhookSecret: '', appSecret: '' };
});
after(async () => {
  wire.close();
  await kissi.close();
});

async function assertSameTime(first: Probe, second: Probe, samples: number): Promise<string> {
  // Warm-up: first calls are slower.
  for (let n = 0; n < 5; n++) await first().then(second);
  const rounds = await compare(first, second, { samples, rounds: ROUNDS, random: source });
  assert.ok(!isDistinguishable(rounds, ROUNDS), describeRounds(rounds));
  return describeRounds(rounds);
}

describe('a wrong key id and a wrong signature take the same time', () => {
  const schemes: { scheme: Scheme; method: string; target: string }[] = [
    { scheme: 'pos', method: 'POST', target: '/api/v1/pos/verify-card' },
    { scheme: 'partner', method: 'POST', target: '/api/v1/partner/account-status' },
    { scheme: 'inbound', method: 'POST', target: '/api/v1/inbound/name-enquiry' },
  ];
  for (const { scheme, method, target } of schemes) {
    test(scheme, async (context) => {
      const body = Buffer.from('{"card_serial":"CARD-000001"}');
      const probe = (wrong: 'id' | 'secret') =>
        refused(() => {
          const unsigned: Unsigned = { method, target, body, now: kissi.clock.now() };
          const keys = {
            ...keyring,
            terminal: corrupted(keyring.terminal, wrong),
            partner: corrupted(keyring.partner, wrong),
          };
          const headers = credentialHeaders(scheme, unsigned, keys, { random: source, bearer: '', idempotencyKey: '' });
          return { ...unsigned, headers: [...headers, ['content-type', 'application/json'] as [string, string]] };
        });
      context.diagnostic(await assertSameTime(probe('id'), probe('secret'), SAMPLES));
    });
  }

  test('service', async (context) => {
    const probe = (wrong: Partial<typeof SERVICE>) =>
      refused(() => {
        const unsigned = {
          method: 'GET',
          target: '/api/v1/subscribers/sub_1',
          body: Buffer.alloc(0),
          now: kissi.clock.now(),
        };
        return { ...unsigned, headers: serviceHeaders(unsigned, { ...SERVICE, ...wrong }) };
      });
    context.diagnostic(
      await assertSameTime(probe({ name: 'unknown-ui' }), probe({ secret: 'another secret' }), SAMPLES),
    );
  });

  /** Another id of the same length, or another secret. */
  function corrupted<Key extends { id: string; secret: string }>(key: Key, wrong: 'id' | 'secret'): Key {
    if (wrong === 'secret') return { ...key, secret: `${key.secret}x` };
    return { ...key, id: key.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) };
  }

  function refused(make: () => Unsigned & { headers: [string, string][] }): Probe {
    return async () => {
      const reply = await wire.send(make());
      assert.ok(typeof reply !== 'string' && reply.status === 401, JSON.stringify(reply));
      assert.match(reply.body.toString(), /INVALID_SIGNATURE/);
    };
  }
});

describe('an unknown user and a wrong password take the same time', () => {
  let staff: Staff;
  let agent: TestAgent;
  before(async () => {
    staff = await staffMember(kissi, 'support_user');
    agent = await newAgent(kissi);
  });

  /** Advances the clock before each attempt, so that no name reaches the limit of 15 minutes or of the day. */
  const wrongLogin =
    (email: () => string): Probe =>
    async () => {
      kissi.clock.advance(45 * MINUTE_MS);
      const body = Buffer.from(JSON.stringify({ email: email(), password: 'Not-The-Word-1' }));
      const headers: [string, string][] = [['content-type', 'application/json']];
      const reply = await wire.send({ method: 'POST', target: '/api/v1/admin/login', headers, body });
      assert.ok(typeof reply !== 'string' && reply.status === 401, JSON.stringify(reply));
    };

  test('by email', async (context) => {
    const unknown = wrongLogin(() => `support_user.${source.text(12, 'abcdef')}@example.com`);
    context.diagnostic(
      await assertSameTime(
        wrongLogin(() => staff.email),
        unknown,
        40,
      ),
    );
  });

  test('by phone number', async (context) => {
    const unknown = wrongLogin(() => `+23277${source.int(500_000, 999_999)}`);
    context.diagnostic(
      await assertSameTime(
        wrongLogin(() => agent.phone),
        unknown,
        40,
      ),
    );
  });
});
