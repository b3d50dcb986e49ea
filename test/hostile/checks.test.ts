// The reply and log checks of the hostile tests: each detects its fault and accepts correct replies.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '@kissi/testkit/random';
import type { Document } from '../support/openapi.ts';
import type { Outcome, WireReply } from '../support/wire.ts';
import { replyChecker, type SentRequest } from './reply-checks.ts';
import { Secrets } from './secrets.ts';

const refusal = {
  type: 'object',
  required: ['success', 'error', 'code'],
  properties: { success: { const: false }, error: { type: 'string' }, code: { type: 'string' } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const document: Document = {
  paths: {
    '/things/{id}': {
      get: {
        security: [],
        responses: {
          200: json({ type: 'object', required: ['id'], properties: { id: { type: 'string' } } }),
          400: json(refusal),
        },
      },
    },
  },
};

const secrets = new Secrets();
secrets.addDigits('7391');
secrets.add('Hostile-Word-9z!');
secrets.add('kTr5o7Wq_0a-LmN3pQ9sXyZ1');
secrets.collect({ token: 'abcdefghijklmnopqrstuv.wxyzabcdefghijklmnopqrst.0123456789abcdefghijkl', other: 'x' });

const checkReply = replyChecker(document, secrets);
const sent: SentRequest = {
  request: { method: 'GET', target: '/things/1?x=1', headers: [], body: Buffer.alloc(0) },
  brokenHttp: false,
};

function reply(status: number, body: unknown, type = 'application/json; charset=utf-8'): WireReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, head: '', headers: new Map([['content-type', type]]), body: Buffer.from(text) };
}
const refused = (extra: object = {}) => ({
  success: false,
  error: 'There is no such thing.',
  code: 'INVALID_REQUEST',
  ...extra,
});

describe('a reply', () => {
  const good: [string, Outcome][] = [
    ['a documented reply', reply(200, { id: 'a' })],
    ['a documented refusal', reply(400, refused())],
  ];
  for (const [what, outcome] of good) test(`passes: ${what}`, () => assert.equal(checkReply(sent, outcome), null));

  const bad: [string, Outcome, RegExp][] = [
    ['no reply in time', 'timeout', /in time/],
    ['a closed connection', 'closed', /closed/],
    ['a 500', reply(500, refused({ code: 'INTERNAL_ERROR' })), /500/],
    ['a status that is not documented', reply(404, refused()), /does not list/],
    ['a wrong type', reply(200, { id: 1 }), /must be string/],
    ['a field that is not documented', reply(200, { id: 'a', pin: 'b' }), /additional properties/],
    ['a refusal with a field that is not documented', reply(400, refused({ inside: 1 })), /additional properties/],
    ['another content type where JSON is documented', reply(200, 'a', 'text/plain'), /not JSON/],
    ['invalid JSON', reply(200, '{'), /not JSON/],
    ['a refusal without a message', reply(400, refused({ error: '' })), /message/],
    ['a refusal with success: true', reply(400, refused({ success: true })), /must be equal to constant/],
    ['an unknown code', reply(400, refused({ code: 'WHATEVER' })), /unknown code/],
    ['a stack trace', reply(400, refused({ error: 'TypeError: x at f (/src/main.ts:1:2)' })), /internals/],
    ['SQL', reply(400, refused({ error: 'error in select id from users where id = 1' })), /internals/],
    ['a secret', reply(400, refused({ error: 'The PIN 7391 is wrong.' })), /secret/],
    ['an HTML page', reply(400, 'no', 'text/html'), /not JSON/],
  ];
  for (const [what, outcome, fault] of bad) {
    test(`fails: ${what}`, () => assert.match(String(checkReply(sent, outcome)), fault));
  }

  test('accepts 431 only if the headers were too large', () => {
    const large = { ...sent, request: { ...sent.request, headers: [['x', 'x'.repeat(20_000)] as [string, string]] } };
    assert.equal(checkReply(large, reply(431, refused())), null);
    assert.match(String(checkReply(sent, reply(431, refused()))), /does not list/);
  });

  test('may be missing if the request was not valid HTTP and the connection was closed', () => {
    assert.equal(checkReply({ ...sent, brokenHttp: true }, 'closed'), null);
    assert.notEqual(checkReply({ ...sent, brokenHttp: true }, 'timeout'), null);
  });
});

describe('a log', () => {
  const line = (extra: string) =>
    `{"level":30,"time":"2026-11-15T10:35:19.739Z","reqId":"req_01KJMMA2G00QF7391K8","path":"/api/v1/agents/agent_7391x","status":200,"ms":739.1,"ip":"127.0.0.1"${extra}}\n`;

  test('of ordinary lines contains no secret', () => assert.equal(secrets.find(line('')), null));

  for (const leak of [
    '"pin":"7391"',
    '"pin":7391',
    '"password":"Hostile-Word-9z!"',
    '"x":"kTr5o7Wq_0a-LmN3pQ9sXyZ1"',
    '"x":"wxyzabcdefghijklmnopqrst"',
    '"authorization":"Bearer svc_test_0123456789abcdefghijklmn"',
    '"token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln"',
    `"signature":"${'0f'.repeat(32)}"`,
  ]) {
    test(`with ${leak} is detected`, () => assert.notEqual(secrets.find(line(`,${leak}`)), null));
  }
});

test('the same seed and turn give the same choices, different ones give different choices', () => {
  const draw = (seed: number, turn: number) => seededRandom(`${seed} ${turn}`).text(20, 'abcdefghijklmnop');
  assert.equal(draw(1, 7), draw(1, 7));
  const draws = new Set(Array.from({ length: 1_000 }, (_, turn) => draw(1, turn)));
  assert.equal(draws.size, 1_000);
  assert.notEqual(draw(1, 7), draw(2, 7));
});
