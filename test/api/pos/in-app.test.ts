// POST /payment: card payments in an app, without a terminal, and metadata that is stored and returned verbatim.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
const wallet = await bank.wallet(10_000_000);
const card = await bank.card(wallet);

/** Pays with this JSON text as metadata; undefined sends none. */
function payWith(text: string | undefined, indent?: number): Promise<CallReply> {
  const body = JSON.stringify(terminal.payment(card, { terminal_id: undefined, amount: 1 }), null, indent);
  const raw = text === undefined ? body : `${body.slice(0, -1)},"metadata":${text}}`;
  return terminal.send('/payment', {}, { raw });
}

/** Returns the metadata of a movement as stored. */
async function storedMetadata(transactionId: string): Promise<string | null> {
  const text = 'select metadata::text as text from movements where id = $1';
  return (await kissi.db.query(text, [transactionId])).rows[0].text;
}

async function assertRoundTrip(text: string): Promise<void> {
  const reply = assertStatus(await payWith(text), 200);
  assert.ok(reply.text.endsWith(`,"metadata":${text}}`), `${text} is missing in ${reply.text}`);
  assert.equal(await storedMetadata(reply.json.transaction_id), text);
}

describe('POST /payment', () => {
  test('is priced, posted and answered like a terminal payment, and ignores terminal_id', async () => {
    const before = await bank.balance(wallet.id);
    const reply = assertStatus(await terminal.payInApp(card, { terminal_id: { any: 'thing' } }), 200);
    const { json } = reply;
    assert.deepEqual([json.status, json.amount, json.fee, json.card_serial], ['APPROVED', 10_000, 100, card]);
    assert.deepEqual(Object.keys(json), [
      ...['success', 'transaction_id', 'status', 'authorization_code', 'amount', 'fee', 'currency'],
      ...['merchant_id', 'processor_id', 'card_serial', 'receipt', 'created_at'],
    ]);
    assert.doesNotMatch(json.receipt, /Terminal/);
    assert.equal(await bank.balance(wallet.id), before - 10_000);
    const text = 'select type, details from movements where id = $1';
    const [{ type, details }] = (await kissi.db.query(text, [json.transaction_id])).rows;
    const { merchantId: merchant_id } = terminal.merchant;
    assert.deepEqual([type, details], ['pos_payment', { channel: 'in_app', card_serial: card, merchant_id }]);
  });

  test('is refused for the same reasons as a terminal payment', async () => {
    assertRefused(await terminal.payInApp(card, { request_id: undefined }), 400, 'INVALID_REQUEST');
    assertRefused(await terminal.payInApp('CARD-UNKNOWN'), 404, 'CARD_NOT_FOUND');
    assertRefused(await terminal.payInApp(card, { merchant_id: 'another' }), 403, 'MERCHANT_MISMATCH');
    assertRefused(await terminal.payInApp(card, { encrypted_pin: terminal.encrypt(card, '9999') }), 401, 'INVALID_PIN');
    assertRefused(await terminal.payInApp(card, { amount: 0 }), 400, 'INVALID_AMOUNT');
    assert.equal((await terminal.payInApp(card)).status, 200);
  });
});

describe('metadata', () => {
  test('is returned verbatim, including null and values that parsing would change', async () => {
    const withoutMetadata = await payWith(undefined);
    assert.ok(!('metadata' in withoutMetadata.json));
    assert.equal(await storedMetadata(withoutMetadata.json.transaction_id), null);
    const values = [
      ...[
        'null',
        'true',
        'false',
        '0',
        '-0',
        '1.0',
        '1e400',
        '-1E-400',
        '12345678901234567890',
        '0.10',
        '""',
        '[]',
        '{}',
      ],
      ...[
        '"é 🏦 \u2028 \\u00e9 \\/ \\" }"',
        '{"b":1,"a":2,"2":0,"1":0}',
        '{"a":1,"a":2}',
        '{"metadata":{"metadata":1}}',
        '{"constructor":{"prototype":{}},"__proto__":{"a":[{"\\u005f_proto__":null}]}}',
      ],
      ...['[ 1,\n 2 ]', '{"amount":1.5,"request_id":"other","pin":"0000"}', '[[[[[[[["deep"]]]]]]]]', '"\uD83C\uDFE6"'],
    ];
    for (const value of values) await assertRoundTrip(value);
  });

  test('round-trips any JSON value, even in a replay', async () => {
    const property = fc.asyncProperty(fc.json({ maxDepth: 5 }), fc.nat(2), async (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      // No request body may contain these characters.
      fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text));
      await assertRoundTrip(text);
    });
    await fc.assert(property, { numRuns: 60 });
    const body = terminal.payment(card, { terminal_id: undefined, amount: 1 });
    const raw = JSON.stringify(body).replace(/\}$/, ',"metadata": [1.0, {"x": 1e400}] }');
    const [first, again] = [await terminal.send('/payment', {}, { raw }), await terminal.send('/payment', {}, { raw })];
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true']);
    assert.ok(first.text.includes('"metadata":[1.0, {"x": 1e400}]'));
  });

  test('the last of several members counts, at any position and with an escaped name', async () => {
    const body = JSON.stringify(terminal.payment(card, { terminal_id: undefined, amount: 1 }));
    const raw = body.replace('{', '\uFEFF { "metadata":1 , "x":{"metadata":2}, "\\u006detadata" : 3.0 ,');
    const reply = await terminal.send('/payment', {}, { raw });
    assert.ok(reply.text.endsWith(',"metadata":3.0}'), reply.text);
  });

  test('appears verbatim in every transaction list', async () => {
    const values = [
      '{"order":"A-7","price":1.0,"big":12345678901234567890,"huge":1e400,"none":null}',
      '{ "b":\t[ 1 ,2.50 ],"2":0, "1":{"1":"\\u00e9\\/"}, "b":3,\r\n"__proto__":{} }',
      ...['null', '"\u2028"', '-0', '[]'],
    ];
    for (const value of values) {
      const { json } = await payWith(value);
      for (const path of [
        `/transactions?subscriber_id=${wallet.id}&limit=1`,
        `/processors/${terminal.merchant.id}/transactions?limit=1`,
        '/transactions?limit=1',
      ]) {
        const { text } = await bank.get(path);
        assert.ok(text.includes(json.transaction_id) && text.includes(`"metadata":${value}}`), text);
      }
    }
  });

  test('is not part of statements', async () => {
    const { json } = await payWith('{"secret":"of the merchant"}');
    const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
    for (const format of ['json', 'csv']) {
      const body = { subscriber_id: wallet.id, from: day, to: day, format };
      const { text } = await bank.post('/wallet/account-statement', body);
      assert.ok(text.includes(json.transaction_id) && !/metadata|of the merchant/.test(text), text);
    }
  });

  test('rejects U+0000 and lone surrogates, even in a duplicate member that is overridden', async () => {
    for (const text of ['{"a":"\\u0000","a":1}', '["\\ud83c"]', '"\\uDFE6"', '{"\\u0000":1}']) {
      const reply = assertRefused(await payWith(text), 400, 'INVALID_REQUEST', text);
      assert.match(reply.json.error, /^metadata must not contain U\+0000/);
    }
    await assertRoundTrip('{"a":"\\uD83C\\udfe6 \\\\u0000"}');
  });

  test('has at most 16 KiB, counted in bytes as sent', async () => {
    const largest = `"${'é'.repeat(8_191)}"`;
    assert.equal(Buffer.byteLength(largest), 16_384);
    await assertRoundTrip(largest);
    for (const text of [`"${'é'.repeat(8_192)}"`, `[${' '.repeat(16_384)}]`, `"${'x'.repeat(500_000)}"`]) {
      const reply = assertRefused(await payWith(text), 400, 'INVALID_REQUEST');
      assert.match(reply.json.error, /metadata must have at most 16384 bytes/);
    }
  });

  test('is limited to 64 levels of nesting', async () => {
    await assertRoundTrip('['.repeat(63) + ']'.repeat(63));
    for (const depth of [64, 5_000, 100_000]) {
      const reply = assertRefused(await payWith('['.repeat(depth) + ']'.repeat(depth)), 400, 'INVALID_REQUEST');
      assert.match(reply.json.error, /nested deeper than 64/);
    }
  });
});
