// Hostile requests: manipulated paths, headers, encodings, bodies or credentials on an otherwise valid request.

import type { Random } from '@kissi/testkit/random';
import type { WireRequest } from '../support/wire.ts';
import type { Headers } from './credentials.ts';
import type { Draft } from './draft.ts';
import { EDGE_CASE_NUMBERS, EDGE_CASE_TEXTS } from './edge-cases.ts';
import { nested } from './mutations.ts';

type Attack = (draft: Draft, random: Random) => Partial<Draft> & { description: string };

const MIB = 1024 * 1024;

const path: Attack = (draft, random) => {
  const tricks: [string, string][] = [
    ['doubled slashes', draft.path.replaceAll('/', '//')],
    ['a trailing slash', `${draft.path}/`],
    ['dots', draft.path.replace('/api', '/x/../api')],
    ['encoded dots', draft.path.replace('/api', '/x/%2e%2e/api')],
    ['a traversal', `${draft.path}/../../../../etc/passwd`],
    ['an encoded slash', draft.path.replace(/\/([^/]*)$/, '%2f$1')],
    ['a path parameter', `${draft.path};jsessionid=1`],
    ['upper case', draft.path.toUpperCase()],
    ['encoded letters', draft.path.replaceAll('a', '%61')],
    ['double encoding', draft.path.replaceAll('a', '%2561')],
    ['a null byte', `${draft.path}%00.json`],
    ['a broken percent', `${draft.path}%`],
    ['broken UTF-8', `${draft.path}%c3%28`],
    ['raw bytes', `${draft.path}\u00ff\u00fe`],
    ['a backslash', draft.path.replaceAll('/', '\\')],
    ['an absolute target', `http://example.com${draft.path}`],
    ['a fragment', `${draft.path}#x`],
    ['no leading slash', draft.path.slice(1)],
    ['a star', '*'],
    ['a long path', `${draft.path}/${'a'.repeat(random.pick([300, 9_000]))}`],
    ['many segments', `${draft.path}${'/a'.repeat(random.pick([100, 3_000]))}`],
    [
      'another path',
      random.pick(['/', '/api', '/api/v1', '/api/v2/agents', '/.env', '/metrics/', '/openapi.json', '/docs/']),
    ],
  ];
  const [description, tricked] = random.pick(tricks);
  return {
    path: tricked,
    description: `path with ${description}`,
    brokenHttp: description === 'raw bytes' || description === 'no leading slash',
  };
};

const query: Attack = (_draft, random) => {
  const many = Array.from({ length: random.pick([50, 1_500]) }, (_, n) => `p${n}=1`);
  const pairs = random.pick([
    many,
    ['?=&==&'],
    ['limit=1', 'limit=2'],
    ['a[b][c]=1', '__proto__[x]=1'],
    ['%=%'],
    ['\u00e9=\u00ff'],
  ]);
  return { query: pairs, description: `query ${pairs[0]}`, brokenHttp: pairs[0]?.startsWith('\u00e9') === true };
};

const method: Attack = (_draft, random) => {
  const used = random.pick([
    'PATCH',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'GET',
    'DELETE',
    'PUT',
    'post',
    'FOO',
    'QUERY',
  ]);
  return { method: used, description: `method ${used}`, brokenHttp: !/^[A-Z]+$/.test(used) || used === 'FOO' };
};

const header = (name: string, value: string): Headers => [[name, value]];

const headers: Attack = (_draft, random) => {
  const text = random.pick(EDGE_CASE_TEXTS).replace(/[\r\n\0]/g, '') || 'x';
  const bytes = Buffer.from(text.toWellFormed(), 'utf8').toString('latin1');
  const name = random.pick([
    'x-request-id',
    'x-forwarded-for',
    'x-real-ip',
    'forwarded',
    'accept',
    'user-agent',
    'origin',
    'referer',
    'x-http-method-override',
    'cookie',
    'if-none-match',
    'range',
    'accept-encoding',
    'x-partner-id',
    'x-idempotency-key',
    'via',
    'traceparent',
  ]);
  const tricks: [string, Headers][] = [
    [`${name} ${text}`, header(name, bytes)],
    [`a long ${name}`, header(name, 'x'.repeat(random.pick([129, 4_000, 12_000])))],
    [
      'many headers',
      Array.from({ length: random.pick([60, 900]) }, (_, n) => [`x-h${n}`, String(n)] as [string, string]),
    ],
    ['headers over the limit', header('x-filler', 'x'.repeat(random.pick([17_000, 70_000])))],
    [
      'a repeated header',
      [
        ['x-request-id', 'a'],
        ['x-request-id', 'b'],
      ],
    ],
    ['expect', header('expect', random.pick(['100-continue', '200-ok']))],
    [
      'upgrade',
      [
        ['connection', 'upgrade'],
        ['upgrade', random.pick(['websocket', 'h2c'])],
      ],
    ],
    ['connection', header('connection', random.pick(['close', 'keep-alive, x-signature', 'authorization']))],
    ['a proto header', header('__proto__', '1')],
    ['a list as CSV', header('accept', random.pick(['text/csv', 'text/*;q=0.1', 'text/csv;q=9, ;q=,,*/*']))],
  ];
  const [description, added] = random.pick(tricks);
  return {
    headers: added,
    description,
    brokenHttp: description === 'upgrade' || description === 'headers over the limit',
  };
};

const contentType: Attack = (_draft, random) => {
  const value = random.pick([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'multipart/form-data; boundary=',
    'text/csv',
    '*/*',
    'application/json; charset=utf-16',
    'application/json;charset=utf-7',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/json, text/plain',
    'application/jsonx',
    'json',
    '',
    ';',
    `application/json;${'a'.repeat(5_000)}`,
  ]);
  return { contentType: value, description: `content type ${value.slice(0, 50)}` };
};

const encoding: Attack = (_draft, random) => {
  const value = random.pick(['gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'x-unknown']);
  return { headers: header('content-encoding', value), description: `content encoding ${value}` };
};

const body: Attack = (draft, random) => {
  const text = `{${draft.fields.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  const utf16 = Buffer.from(text, 'utf16le');
  const first = JSON.stringify(draft.fields[0]?.name ?? 'a');
  const tricks: [string, () => Buffer | string][] = [
    [
      'broken UTF-8',
      () =>
        Buffer.concat([
          Buffer.from('{"a":"'),
          random.pick([
            Buffer.from([0xff]),
            Buffer.from([0xc3, 0x28]),
            Buffer.from([0xed, 0xa0, 0x80]),
            Buffer.from([0xf8, 0x88]),
          ]),
          Buffer.from('"}'),
        ]),
    ],
    ['broken UTF-8 inside', () => Buffer.from(text.replaceAll('a', '\u00ff'), 'latin1')],
    ['UTF-16', () => utf16],
    ['a byte order mark', () => `\ufeff${text}`],
    ['random bytes', () => random.bytes(random.int(1, 2_000))],
    ['deep arrays', () => nested(random.pick([65, 5_000, 200_000]))],
    ['deep objects', () => nested(random.pick([65, 5_000, 100_000]), 'object')],
    ['a deep field', () => `{${first}:${nested(random.pick([63, 64, 65, 100_000]))}}`],
    ['oversized', () => `{${first}:"${'x'.repeat(MIB + random.int(-30, 30))}"}`],
    ['many members', () => `{${Array.from({ length: 40_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`],
    ['one repeated member', () => `{${Array(20_000).fill(`${first}:1`).join(',')}}`],
    ['a long array', () => `{${first}:[${'0,'.repeat(100_000)}0]}`],
    ['a long number', () => `{${first}:${'9'.repeat(500_000)}}`],
    ['escapes', () => `{${first}:"${'\\u0041'.repeat(50_000)}"}`],
    ['a truncated object', () => text.slice(0, random.int(0, text.length))],
    ['trailing text', () => `${text}${random.pick([text, ',', '}', '\0', ' // x', '\n{}'])}`],
    [
      'a value that is not an object',
      () => random.pick(['null', '[]', '1', '"text"', 'true', '[1,{"a":2}]', ...EDGE_CASE_NUMBERS]),
    ],
    [
      'invalid JSON',
      () =>
        random.pick([
          '',
          ' ',
          '{',
          '}',
          "{'a':1}",
          '{a:1}',
          '{"a":1,}',
          '{"a":undefined}',
          '<xml/>',
          'a=1&b=2',
          '{"a":01}',
          '{"a":"\n"}',
          '{"a":"\\x"}',
        ]),
    ],
    ['prototypes', () => text.replace('{', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},')],
    ['operators', () => text.replaceAll(/:"[^"]*"/g, ':{"$gt":""}')],
  ];
  const [description, make] = random.pick(tricks);
  const made = make();
  return { body: typeof made === 'string' ? Buffer.from(made) : made, description: `body with ${description}` };
};

/** Changes to the value of a credential header. */
const CORRUPTIONS: [string, (value: string, random: Random) => string][] = [
  ['empty', () => ''],
  ['upper case', (value) => value.toUpperCase()],
  ['truncated', (value, random) => value.slice(0, random.int(0, value.length))],
  ['longer', (value) => `${value}0`],
  ['a digit changed', (value) => value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
  ['spaces', (value) => ` ${value}  `],
  ['doubled', (value) => `${value}, ${value}`],
  [
    'garbage',
    (_value, random) =>
      random
        .bytes(60)
        .toString('latin1')
        .replace(/[^ -~\u00a0-\u00ff]/g, '?'),
  ],
  ['huge', (value) => value.repeat(60)],
  ['another scheme', () => 'Basic YWRtaW46YWRtaW4='],
  ['a token without algorithm', () => 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSIsInJvbGUiOiJzeXN0ZW1fYWRtaW4ifQ.'],
  ['an unknown key', () => `Bearer svc_live_${'0'.repeat(40)}`],
  [
    'another timestamp',
    (_value, random) =>
      random.pick([
        '0',
        '-1',
        '1e9',
        '9'.repeat(30),
        '2026-03-01T12:00:00Z',
        '2026-02-30T00:00:00Z',
        '2026-03-01T12:00:00+99:99',
        'now',
      ]),
  ],
];
const CREDENTIALS =
  /^(authorization|x-(api-key-id|timestamp|nonce|signature|partner-id|service-.*|webhook-signature|hub-signature-256|idempotency-key))$/;

const credential: Attack = (_draft, random) => {
  const [description, change] = random.pick(CORRUPTIONS);
  const corrupt = (request: WireRequest): WireRequest => {
    const at = random.pick([...request.headers.keys(), 0]);
    const [name = '', value = ''] = request.headers[at] ?? [];
    if (!CREDENTIALS.test(name)) return request;
    return { ...request, headers: request.headers.with(at, [name, change(value, random)]) };
  };
  return { corrupt, description: `credential: ${description}` };
};

const noCredential: Attack = () => ({
  corrupt: (request) => ({ ...request, headers: request.headers.filter(([name]) => !CREDENTIALS.test(name)) }),
  description: 'no credential',
});

const afterSigning: Attack = (_draft, random) => ({
  corrupt: (request) =>
    random.chance(0.5)
      ? { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }
      : { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}x=1` },
  description: 'changed after signing',
});

const INVALID_LENGTHS = ['99999999999999999999', '-1', '0x10', '1, 1', 'ten', ''];

/** Violations of HTTP. */
const protocol: Attack = (_draft, random) => {
  const tricks: [string, (request: WireRequest) => WireRequest][] = [
    [
      'an invalid content length',
      (request) => ({ ...request, headers: [...request.headers, ['content-length', random.pick(INVALID_LENGTHS)]] }),
    ],
    [
      'two framings',
      (request) => ({
        ...request,
        headers: [...request.headers, ['content-length', '5'], ['transfer-encoding', 'chunked']],
      }),
    ],
    [
      'invalid chunks',
      (request) => ({
        ...request,
        headers: [...request.headers, ['transfer-encoding', 'chunked']],
        body: Buffer.from('zz\r\nhello\r\n0\r\n\r\n'),
      }),
    ],
    ['an unknown framing', (request) => ({ ...request, headers: [...request.headers, ['transfer-encoding', 'gzip']] })],
    [
      'no host',
      (request) => ({
        ...request,
        bare: true,
        headers: [...request.headers, ['content-length', String(request.body.length)]],
      }),
    ],
    ['two hosts', (request) => ({ ...request, headers: [...request.headers, ['host', 'evil.example']] })],
    ['a space before the colon', (request) => ({ ...request, headers: [...request.headers, ['x-a ', 'b']] })],
    ['an invalid header name', (request) => ({ ...request, headers: [...request.headers, ['x\0y', '1']] })],
    ['a folded header', (request) => ({ ...request, headers: [...request.headers, ['x-a', 'b\r\n c']] })],
    ['bare line feeds', (request) => ({ ...request, headers: [...request.headers, ['x-a', 'b\nx-c: d']] })],
    ['a space in the target', (request) => ({ ...request, target: `${request.target} x` })],
    ['random bytes', (request) => ({ ...request, method: random.bytes(30).toString('latin1'), target: '/' })],
  ];
  const [description, corrupt] = random.pick(tricks);
  return { corrupt, description, brokenHttp: true };
};

const chunked: Attack = () => ({
  corrupt: (request) => {
    const size = request.body.length;
    const framed = size === 0 ? '' : `${size.toString(16)}\r\n`;
    const end = size === 0 ? '0\r\n\r\n' : '\r\n0\r\n\r\n';
    const body = Buffer.concat([Buffer.from(framed), request.body, Buffer.from(end)]);
    return { ...request, headers: [...request.headers, ['transfer-encoding', 'chunked']], body };
  },
  description: 'chunked',
});

const WITH_BODY = [body, body, body, contentType, contentType, encoding, chunked];
const ANY = [path, path, query, method, headers, headers, credential, credential, noCredential, afterSigning, protocol];

export function attack(draft: Draft, random: Random): Draft {
  const hasBody = draft.target.body !== null || draft.target.uploadType !== null;
  const { description, ...change } = random.pick(hasBody ? [...ANY, ...WITH_BODY] : ANY)(draft, random);
  return { ...draft, ...change, changes: [...draft.changes, description] };
}
