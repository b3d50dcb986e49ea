// Valid requests to every operation with the keys of a partner and a processor, naming the resources of others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import { SCOPES } from '../../src/auth/roles.ts';
import { EXPECTED_ACCESS, keyHasAccess } from '../support/contract.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { resolvedDocument } from '../support/openapi.ts';
import { Wire } from '../support/wire.ts';
import { credentialHeaders } from './credentials.ts';
import { bodyOf, targetLine, validDraft } from './draft.ts';
import { CONFIGURED, createFixtures, ENVIRONMENT } from './fixtures.ts';
import { type Scheme, type Target, targetsOf } from './operations.ts';
import { foreignChanges, foreignText, ownMovements, withOwnedKey } from './owned-keys.ts';
import { pickParties } from './values.ts';
import type { Fixtures, OwnedKey } from './world.ts';

const SEED = 5;
/** Per operation, key and credential; each with other parties. */
const REQUESTS = 6;
/** An owned key as a bearer value, and as a signature in every scheme. */
const SCHEMES: Scheme[] = ['bearer', 'pos', 'partner', 'inbound'];

let kissi: TestGateway;
let fixtures: Fixtures;
let targets: Target[];
let wire: Wire;

before(async () => {
  kissi = await testGateway({ env: ENVIRONMENT });
  targets = targetsOf(resolvedDocument(kissi.gateway.app.openApi()));
  fixtures = await createFixtures(
    { ...kissi, query: kissi.db.query, now: () => kissi.clock.now(), configured: CONFIGURED },
    SEED,
  );
  await grantAllScopes(fixtures.ownedKeys);
  wire = new Wire(kissi.url);
});
after(async () => {
  wire.close();
  await kissi.close();
});

/** Including those that an owned key cannot be created with: they must make no difference. */
async function grantAllScopes(keys: OwnedKey[]): Promise<void> {
  for (const { id } of keys) {
    await kissi.db.query('update api_keys set scopes = $2 where id = $1', [id, [...SCOPES]]);
  }
}

const routeOf = ({ method, template }: Target) => `${method} ${template.replaceAll(/\{(\w+)\}/g, ':$1')}`;

/** Expected by the contract: 401 for the wrong kind of credential, 403 where the key may not act for its owner. */
function isDenied(target: Target, { owner }: OwnedKey, scheme: Scheme): 401 | 403 | null {
  const access = EXPECTED_ACCESS.get(routeOf(target));
  assert.ok(access, routeOf(target));
  if (access === 'public') return null;
  const needed = access.signed ?? (access.signable && scheme !== 'bearer' ? 'pos' : 'bearer');
  // A partner signature contains everything that terminal routes verify.
  if (needed !== scheme && !(needed === 'pos' && scheme === 'partner')) return 401;
  return keyHasAccess(access, owner, SCOPES) ? null : 403;
}

/** Of USSD gateways the path has the credential. */
const takesCredentials = ({ scheme, template }: Target) => scheme !== 'metrics' && !template.startsWith('/ussd/');

let turn = 0;

async function send(target: Target, key: OwnedKey, scheme: Scheme) {
  const source = seededRandom(`${SEED} ${++turn}`);
  const owned = withOwnedKey(fixtures, key);
  const parties = pickParties(owned, source);
  const draft = { ...validDraft({ fixtures: owned, target, parties, random: source }), bearer: key.bearer };
  const unsigned = { method: draft.method, target: targetLine(draft), body: bodyOf(draft), now: kissi.clock.now() };
  const { bearer, idempotencyKey } = draft;
  const credentials = credentialHeaders(scheme, unsigned, owned.keyring, { random: source, bearer, idempotencyKey });
  const type: [string, string][] = draft.contentType === null ? [] : [['content-type', draft.contentType]];
  const request = {
    method: unsigned.method,
    target: unsigned.target,
    headers: [...credentials, ...type],
    body: unsigned.body,
  };
  const outcome = await wire.send(request);
  assert.ok(typeof outcome !== 'string', `${target.name}: ${outcome}`);
  assert.equal(foreignText(request, outcome), null, `${target.name} with the key of a ${key.owner}`);
  return outcome;
}

describe('a key of a partner or processor with every scope', () => {
  for (const scheme of SCHEMES) {
    test(`reads only what belongs to its owner and is denied elsewhere, with the credential ${scheme}`, async () => {
      for (const key of fixtures.ownedKeys) {
        for (const target of targets.filter(takesCredentials)) {
          const denied = isDenied(target, key, scheme);
          for (let n = 0; n < REQUESTS; n++) {
            const { status, body } = await send(target, key, scheme);
            const what = `${key.owner}, ${target.name}: ${status} ${body.toString('utf8').slice(0, 300)}`;
            assert.ok(status < 500, what);
            if (denied !== null) assert.equal(status, denied, what);
          }
        }
      }
    });
  }

  test('changed nothing that belongs to another, but did move the money of its owner', async () => {
    assert.deepEqual(await foreignChanges(kissi.db.query, fixtures.ownedKeys), []);
    for (const key of fixtures.ownedKeys) assert.ok((await ownMovements(kissi.db.query, [key])) > 0, key.owner);
  });
});
