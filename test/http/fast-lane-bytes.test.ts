// The fast lane and the ordinary server answer the same bytes with the same bytes, however unusual those are.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answerTo, Exchange, LAST, post, probedServer } from '../support/fast-lane.ts';

const lane = await probedServer({ fastLane: true });
const ordinary = await probedServer({ fastLane: false });
after(() => Promise.all([lane.app.close(), ordinary.app.close()]));

async function assertSame(name: string, chunks: (string | Buffer)[], replies = 1): Promise<string> {
  lane.calls.length = 0;
  ordinary.calls.length = 0;
  const [fast, usual] = await Promise.all([answerTo(lane, chunks, replies), answerTo(ordinary, chunks, replies)]);
  assert.equal(fast, usual, name);
  assert.deepEqual(lane.calls, ordinary.calls, name);
  return fast;
}

async function lanesCount(work: () => Promise<unknown>): Promise<{ served: number; handedOver: number }> {
  const [served, handedOver] = [await lane.count('requests'), await lane.count('handed_over')];
  await work();
  return {
    served: (await lane.count('requests')) - served,
    handedOver: (await lane.count('handed_over')) - handedOver,
  };
}

const BODY = '{"text":"hello"}';
const REQUEST = post(BODY);
const text = REQUEST.toString('latin1');
const head = (...lines: string[]) => `${['POST /hot HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`;
const JSON_HEAD = ['Host: x', 'Content-Type: application/json'];
const CHUNKED = `10\r\n${BODY}\r\n0\r\n\r\n`;

/** Served on the lane. */
const ORDINARY: Record<string, string | Buffer> = {
  'a request': REQUEST,
  'a parameter in the path': text.replace('/hot', '/hot/one_1/do'),
  'a parameter that is not valid': text.replace('/hot', '/hot/two_1/do'),
  'lower-case header names': text.replaceAll(/^[A-Z][\w-]+:/gm, (name) => name.toLowerCase()),
  'upper-case header names': text.replaceAll(/^[A-Z][\w-]+:/gm, (name) => name.toUpperCase()),
  'no spaces before values': text.replaceAll(': ', ':'),
  'spaces and tabs around values': text.replaceAll(/: ([^\r]+)/g, ': \t $1 \t'),
  'keep-alive': post(BODY, ['Connection: keep-alive']),
  'keep-alive in capitals': post(BODY, ['Connection: KEEP-ALIVE']),
  'a charset': text.replace('application/json', 'application/json; charset=UTF-8'),
  'a request id': post(BODY, ['X-Request-ID: my-id']),
  'a request id that is not valid': post(BODY, ['X-Request-ID: my id']),
  'a header value beyond ASCII': post(BODY, ['X-Name: caf\u00e9']),
  'a forwarded address that is not trusted': post(BODY, ['X-Forwarded-For: 10.1.2.3']),
  'an empty host': text.replace('Host: x', 'Host:'),
  'thirty headers': post(
    BODY,
    Array.from({ length: 27 }, (_, n) => `X-Header-${n}: ${n}`),
  ),
  'an empty line first': `\r\n${text}`,
  'two spaces in the request line': text.replace('POST ', 'POST  '),
  'non-ASCII JSON': post('{"text":"Kòdò 🏦"}'),
  'JSON with a byte order mark': post(`\ufeff${BODY}`),
  'malformed JSON': post('{"text":'),
  'a body that is no object': post('[1]'),
  'a body that is not UTF-8': post(Buffer.from('{"text":"\xff"}', 'latin1')),
  'U+0000 in the body': post('{"text":"\\u0000"}'),
  'a wrong type': post('{"text":1}'),
  'an unknown field': post('{"text":"a","other":1}'),
  'a field twice': post('{"text":"a","text":"b"}'),
  'a prototype': post('{"__proto__":{"text":"a"}}'),
  'deep nesting': post(`{"text":${'['.repeat(100)}${']'.repeat(100)}}`),
};

/** Handed over. */
const UNUSUAL: Record<string, string | Buffer> = {
  'CRLF after the body': `${text}\r\n`,
  'LF after the body': `${text}\n`,
  'CR after the body': `${text}\r`,
  'empty lines that shift the body': `${post('JUNKJUNK{"text":"hidden"}').toString()}\r\n\r\n\r\n\r\n`,
  'another route': LAST,
  'a query': text.replace('/hot', '/hot?a=1'),
  'an empty query': text.replace('/hot', '/hot?'),
  'a percent-encoded path': text.replace('/hot', '/h%6ft'),
  'a percent-encoded parameter': text.replace('/hot', '/hot/one%5f1/do'),
  'an empty parameter': text.replace('/hot', '/hot//do'),
  'a parameter with a slash': text.replace('/hot', '/hot/one_1/2/do'),
  'the pattern of a path': text.replace('/hot', '/hot/:id/do'),
  'a query after a parameter': text.replace('/hot', '/hot/one_1/do?a=1'),
  'a trailing slash': text.replace('/hot', '/hot/'),
  'an absolute target': text.replace('/hot', 'http://x/hot'),
  'a fragment': text.replace('/hot', '/hot#a'),
  'another method': text.replace('POST', 'PUT'),
  'a method in lower case': text.replace('POST', 'post'),
  'an unknown method': text.replace('POST', 'PAY'),
  'HTTP/1.0': text.replace('HTTP/1.1', 'HTTP/1.0'),
  'HTTP/1.0 with keep-alive': post(BODY, ['Connection: keep-alive']).toString().replace('HTTP/1.1', 'HTTP/1.0'),
  'HTTP/2.0': text.replace('HTTP/1.1', 'HTTP/2.0'),
  'Connection: close': post(BODY, ['Connection: close']),
  'Connection: keep-alive, upgrade': post(BODY, ['Connection: keep-alive, upgrade', 'Upgrade: websocket']),
  'Upgrade without Connection': post(BODY, ['Upgrade: h2c']),
  'Expect: 100-continue': post(BODY, ['Expect: 100-continue']),
  'another expectation': post(BODY, ['Expect: 200-ok']),
  'no host': text.replace('Host: x\r\n', ''),
  'two hosts': post(BODY, ['Host: y']),
  'no content type': text.replace('Content-Type: application/json\r\n', ''),
  'another content type': text.replace('application/json', 'text/plain'),
  'JSON of another kind': text.replace('application/json', 'application/problem+json'),
  'two content types': post(BODY, ['Content-Type: text/plain']),
  'a content encoding': post(BODY, ['Content-Encoding: gzip']),
  'no length': head(...JSON_HEAD),
  'an empty body': head(...JSON_HEAD, 'Content-Length: 0'),
  'a length with a sign': text.replace('Length: ', 'Length: +'),
  'a negative length': text.replace('Length: ', 'Length: -'),
  'a hexadecimal length': text.replace('Length: ', 'Length: 0x'),
  'a length with a leading zero': text.replace('Length: ', 'Length: 0'),
  'a list of lengths': text.replace('Length: 16', 'Length: 16, 16'),
  'the length twice': post(BODY, ['Content-Length: 16']),
  'two lengths': post(BODY, ['Content-Length: 17']),
  'a chunked body': `${head(...JSON_HEAD, 'Transfer-Encoding: chunked')}${CHUNKED}`,
  'a length and a chunked body': `${head(...JSON_HEAD, 'Content-Length: 4', 'Transfer-Encoding: chunked')}${CHUNKED}`,
  'a chunked body and a length': `${head(...JSON_HEAD, 'Transfer-Encoding: chunked', 'Content-Length: 4')}${CHUNKED}`,
  'a transfer encoding in disguise': `${head(...JSON_HEAD, 'Content-Length: 16', 'Transfer-Encoding: xchunked')}${BODY}`,
  'chunked before identity': `${head(...JSON_HEAD, 'Transfer-Encoding: chunked, identity')}${CHUNKED}`,
  'a transfer encoding after a tab': `${head(...JSON_HEAD, 'Content-Length: 4', 'Transfer-Encoding:\tchunked')}${CHUNKED}`,
  trailers: `${head(...JSON_HEAD, 'Transfer-Encoding: chunked')}10\r\n${BODY}\r\n0\r\nContent-Length: 1\r\n\r\n`,
  'a folded header': post(BODY, ['X-Folded: a\r\n b']),
  'a folded length': text.replace('Content-Length: 16', 'Content-Length:\r\n 16'),
  'bare line feeds': text.replaceAll('\r\n', '\n'),
  'one bare line feed': text.replace('Host: x\r\n', 'Host: x\n'),
  'one bare carriage return': text.replace('Host: x\r\n', 'Host: x\r'),
  'a carriage return in a value': post(BODY, ['X-Name: a\rb']),
  'NUL in a value': post(BODY, ['X-Name: a\0b']),
  'NUL in a name': post(BODY, ['X-\0Name: a']),
  'NUL in the path': text.replace('/hot', '/hot\0'),
  'a control character in a value': post(BODY, ['X-Name: a\x01b']),
  'a space before the colon': text.replace('Host:', 'Host :'),
  'a header without a colon': post(BODY, ['X-Name']),
  'a header without a name': post(BODY, [': a']),
  'a space before the first header': text.replace('Host', ' Host'),
  'spaces first': `  ${text}`,
  'a header twice': post(BODY, ['X-Request-ID: a', 'x-request-id: b']),
  'a credential twice': post(BODY, ['Authorization: a', 'Authorization: b']),
  'a header named like a member of all objects': post(BODY, ['Constructor: a']),
  'a header named like the prototype': post(BODY, ['__proto__: a']),
  'a set-cookie header': post(BODY, ['Set-Cookie: a=b']),
  'forty headers': post(
    BODY,
    Array.from({ length: 37 }, (_, n) => `X-Header-${n}: ${n}`),
  ),
  'large headers': post(BODY, [`X-Large: ${'a'.repeat(9_000)}`]),
  'too large headers': post(BODY, [`X-Large: ${'a'.repeat(20_000)}`]),
  'a large body': post(JSON.stringify({ text: 'a'.repeat(50_000) })),
  garbage: 'garbage\r\n\r\n',
  'a TLS handshake': Buffer.from('16030100a5010000a10303', 'hex'),
  'a WebDAV method': text.replace('POST', 'PROPFIND'),
};

describe('the same bytes', () => {
  for (const [name, bytes] of Object.entries(ORDINARY)) {
    test(`${name}, on the lane`, async () => {
      const { served, handedOver } = await lanesCount(() => assertSame(name, [bytes]));
      // The last request is for another route.
      assert.deepEqual([served, handedOver], [1, 1]);
    });
  }

  for (const [name, bytes] of Object.entries(UNUSUAL)) {
    test(`${name}, handed over`, async () => {
      const { served, handedOver } = await lanesCount(() => assertSame(name, [bytes]));
      assert.deepEqual([served, handedOver], [0, 1]);
    });
  }
});

test('a request in two parts, split at every byte, is served on the lane', async () => {
  const { served } = await lanesCount(async () => {
    for (let at = 1; at < REQUEST.length; at++) {
      const answer = await answerTo(lane, [REQUEST.subarray(0, at), REQUEST.subarray(at)]);
      assert.match(answer, /"text":"hello"/, `split at ${at}`);
    }
  });
  assert.equal(served, REQUEST.length - 1);
});

test('requests in many parts, and unusual requests in two, are answered alike', async () => {
  const parts = [...Array(10).keys()].map((n) => REQUEST.subarray(n * 12, (n + 1) * 12));
  await assertSame('ten parts', [...parts, REQUEST.subarray(120)]);
  const smuggled = UNUSUAL['a length and a chunked body'] as string;
  for (let at = 1; at < smuggled.length; at += 7) {
    await assertSame(`split at ${at}`, [smuggled.slice(0, at), smuggled.slice(at)]);
  }
});

test('pipelined requests are answered in order', async () => {
  const second = post('{"text":"second"}');
  for (const bytes of [
    Buffer.concat([REQUEST, second]),
    Buffer.concat([REQUEST, second, REQUEST.subarray(0, 40)]),
    Buffer.concat([REQUEST, Buffer.from('garbage\r\n\r\n')]),
    Buffer.concat([REQUEST, Buffer.from(LAST)]),
  ]) {
    await assertSame('at once', bytes.includes('garbage') ? [bytes] : [bytes, ''], 1);
  }
  const answer = await assertSame('three', [REQUEST, Buffer.concat([second, REQUEST])], 3);
  assert.equal(answer.match(/HTTP\/1\.1 200/g)?.length, 4);
});

test('one connection serves many requests on the lane, accepted and refused ones', async () => {
  const exchange = await Exchange.open(lane);
  const { served, handedOver } = await lanesCount(async () => {
    for (let n = 1; n <= 20; n++) {
      await exchange.send(n % 2 === 0 ? REQUEST : post('{"text":1}'));
      await exchange.replies(n);
    }
    await exchange.send(LAST);
    await exchange.received();
  });
  assert.deepEqual([served, handedOver], [20, 1]);
});
