// Tests merchant numbers and GET /processors/{id}/qr: the static QR code as SVG, PNG and a poster.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupedMerchantNumber, readMerchantNumber } from '../../../src/kernel/merchant-number.ts';
import { processorByMerchantNumber } from '../../../src/parties/processor.ts';
import { readPaymentCode } from '../../../src/qr/payment-codes.ts';
import { asOwner } from '../../ledger/books.ts';
import { assertStatus, gatewayForFile } from '../../support/gateway.ts';
import { shopOf } from '../../support/payment-requests.ts';
import { readPdf } from '../../support/pdf.ts';
import { codeIn, codeInPng, codeInSvg } from '../../support/pictures.ts';
import { assertRefused, merchantToken, newMerchant, newMerchantBody } from '../../support/processors.ts';
import { auditLogs, staffToken } from '../../support/staff.ts';

const kissi = await gatewayForFile({
  env: { OPERATOR_NAME: 'Salone Wallet', QR_GUID: 'sl.wallet.m', QR_TEMPLATE: '27' },
});
const admin = await kissi.adminToken();
const PATH = '/api/v1/processors';

interface Download {
  status: number;
  bytes: Buffer;
  type: string | null;
  disposition: string | null;
  cached: string | null;
}

async function download(id: string, query = '', token = admin): Promise<Download> {
  const reply = await fetch(`${kissi.url}${PATH}/${id}/qr${query}`, { headers: { authorization: `Bearer ${token}` } });
  const [type, disposition, cached] = ['content-type', 'content-disposition', 'cache-control'].map((name) =>
    reply.headers.get(name),
  ) as [string | null, string | null, string | null];
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()), type, disposition, cached };
}

async function numberOf(id: string): Promise<string> {
  return (await kissi.asAdmin.get(`/processors/${id}`)).json.processor.merchant_number;
}

describe('the static QR code', () => {
  test('is an SVG by default, a PNG or a poster, and contains the merchant number', async () => {
    const { id } = await newMerchant(kissi, { business_name: 'Café <Été> & Sons' });
    const number = await numberOf(id);
    const readers = [
      ['', 'svg', 'image/svg+xml', (bytes: Buffer) => codeInSvg(bytes.toString())],
      ['?format=svg', 'svg', 'image/svg+xml', (bytes: Buffer) => codeInSvg(bytes.toString())],
      ['?format=png', 'png', 'image/png', codeInPng],
      ['?format=pdf', 'pdf', 'application/pdf', codeOnPoster],
    ] as const;
    for (const [query, extension, mediaType, read] of readers) {
      const { status, bytes, type, disposition, cached } = await download(id, query);
      assert.deepEqual([status, type], [200, mediaType]);
      assert.equal(disposition, `attachment; filename="kissi-qr-${number}.${extension}"`);
      assert.equal(cached, 'private, max-age=300');
      const text = read(bytes) ?? '';
      assert.deepEqual(readPaymentCode({ guid: 'sl.wallet.m' }, text), { kind: 'merchant', number }, query);
      assert.match(text, /27260011sl\.wallet\.m0107/);
      assert.ok(text.includes('5917Cafe <Ete> & Sons'), text);
    }
  });

  test('is for staff who read processors and for the processor itself', async () => {
    const [own, other] = [await newMerchant(kissi), await newMerchant(kissi)];
    const token = await merchantToken(kissi, own);
    assert.equal((await download(own.id, '', token)).status, 200);
    const path = `${PATH}/${other.id}/qr`;
    assertRefused(await kissi.call('GET', path, { token }), 403, 'FORBIDDEN');
    assertRefused(await kissi.call('GET', path), 401, 'UNAUTHORIZED');
    assert.equal((await download(other.id, '', await staffToken(kissi, 'support_user'))).status, 200);
  });

  test('is for the keys of the processor, which sign the request', async () => {
    const [own, other] = await Promise.all([shopOf(kissi), shopOf(kissi)]);
    const { id } = own.merchant;
    const { merchant_number } = assertStatus(await own.send('GET', `/processors/${id}`), 200).json.processor;
    const code = codeInSvg(assertStatus(await own.send('GET', `/processors/${id}/qr`), 200).text) ?? '';
    assert.deepEqual(readPaymentCode({ guid: 'sl.wallet.m' }, code), { kind: 'merchant', number: merchant_number });
    for (const path of [`/processors/${id}`, `/processors/${id}/qr`])
      assertRefused(await other.send('GET', path), 403, 'FORBIDDEN');
  });

  test('stays the same while the processor is suspended: payments are refused, and the paper on the counter stays', async () => {
    const { id } = await newMerchant(kissi);
    const before = await download(id);
    await kissi.asAdmin.post(`/processors/${id}/suspend`, { reason: 'Chargebacks' });
    assert.deepEqual(await download(id), before);
  });

  test('of an unknown processor is 404, and another format 400 with the formats', async () => {
    assertRefused(await kissi.asAdmin.get('/processors/proc_unknown/qr'), 404, 'NOT_FOUND');
    const { id } = await newMerchant(kissi);
    for (const query of ['?format=gif', '?format=', '?format=SVG']) {
      const reply = assertRefused(
        await kissi.asAdmin.get(`/processors/${id}/qr${query}`),
        400,
        'INVALID_REQUEST',
        query,
      );
      assert.match(reply.json.error, /^format must be one of svg, png, pdf/, query);
    }
  });
});

/** Dark modules are the squares inside the page's middle. */
function codeOnPoster(bytes: Buffer): string | undefined {
  const { rectangles } = readPdf(bytes);
  return codeIn(
    rectangles.filter(({ height }) => height < 20),
    842,
  );
}

describe('the poster', () => {
  test('is one page with the name, the number in groups and how to pay, in English and Krio', async () => {
    const names = ['Kɔnɛ Ŋgɛ', 'Établissements Générales Koné, Sésay & Frères – Kissy Docks', 'W'.repeat(100)];
    for (const business_name of names) {
      const { id } = await newMerchant(kissi, { business_name });
      const { bytes } = await download(id, '?format=pdf');
      const { pages, text } = readPdf(bytes);
      assert.equal(pages, 1);
      const shown = [
        ...['Pay here with Salone Wallet', 'Pe ya wit Salone Wallet', groupedMerchantNumber(await numberOf(id))],
        ...['Scan the code or type the number.', 'Check the name and enter the amount.'],
        ...['Confirm with your PIN on your own phone.', 'Chɛk di nem ɛn put di mɔni we yu de pe.'],
      ];
      for (const phrase of shown) assert.ok(text.includes(phrase), `${phrase} in: ${text}`);
      // A name without spaces is broken.
      assert.ok(text.replaceAll(' ', '').includes(business_name.replaceAll(' ', '')), text);
    }
  });
});

describe('merchant numbers', () => {
  test('are random, and found by the search and the list, as they are typed', async () => {
    const merchants = await Promise.all(Array.from({ length: 5 }, () => newMerchant(kissi)));
    const numbers = await Promise.all(merchants.map(({ id }) => numberOf(id)));
    assert.equal(new Set(numbers.map((number) => number.slice(0, 4))).size, 5);
    const [number = '', id] = [numbers[0], merchants[0]?.id];
    for (const typed of [number, groupedMerchantNumber(number), ` ${number.slice(0, 3)}-${number.slice(3)}`]) {
      const { processors } = (await kissi.asAdmin.get(`/processors?search=${encodeURIComponent(typed)}`)).json;
      assert.deepEqual([processors.length, processors[0]?.id], [1, id], typed);
      const { hits } = (await kissi.asAdmin.get(`/search?q=${encodeURIComponent(typed)}`)).json;
      assert.deepEqual([hits.length, hits[0]?.id, hits[0]?.matched_by], [1, id, 'merchant_number'], typed);
    }
    const found = await processorByMerchantNumber(kissi.db.database.reader)(number);
    assert.equal(found?.id, id);
    assert.equal(await processorByMerchantNumber(kissi.db.database.reader)('9999999'), null);
  });

  test('are in the CSV export', async () => {
    const { id } = await newMerchant(kissi);
    const reply = await kissi.call('GET', `${PATH}?limit=1`, { token: admin, headers: { accept: 'text/csv' } });
    assert.match(reply.text.split('\r\n', 1)[0] ?? '', /\bmerchant_number\b/);
    assert.ok(reply.text.includes(await numberOf(id)));
  });

  test('cannot be chosen or changed', async () => {
    const created = await kissi.asAdmin.post('/processors', newMerchantBody({ merchant_number: '1234566' }));
    assert.notEqual(created.json.processor?.merchant_number, '1234566');
    const { id } = await newMerchant(kissi);
    const reply = await kissi.asAdmin.put(`/processors/${id}`, { merchant_number: '1234566' });
    assertRefused(reply, 400, 'INVALID_REQUEST');
    assert.match(reply.json.error, /merchant_number .*printed QR codes/);
  });

  test('that another processor has are drawn again', async () => {
    const taken = await numberOf((await newMerchant(kissi)).id);
    const { id } = await duringInsert(`nextval('draws') <= 2`, `'${taken}'`, () => newMerchant(kissi));
    assert.notEqual(await numberOf(id), taken);
    assert.ok(readMerchantNumber(await numberOf(id)));
  });

  test('are assigned to processors of an earlier version, once, with an audit entry', async () => {
    const { id } = await duringInsert('true', 'null', () => newMerchant(kissi));
    assertRefused(await kissi.asAdmin.get(`/processors/${id}/qr`), 404, 'NOT_FOUND');
    const assign = () => kissi.gateway.services.processors.assignMerchantNumbers();
    await Promise.all([assign(), assign()]);
    const number = await numberOf(id);
    assert.ok(readMerchantNumber(number), number);
    await assign();
    assert.equal(await numberOf(id), number);
    const entries = await auditLogs(kissi, { resource_id: id, action: 'processor.assign_number' });
    assert.deepEqual(
      entries.map(({ actor_type, details }: { actor_type: string; details: object }) => [actor_type, details]),
      [['system', { merchant_number: number }]],
    );
    assert.equal((await download(id)).status, 200);
  });
});

/** New processors get this number where the condition is true, as from another gateway or from one of the previous version. */
async function duringInsert<Result>(condition: string, number: string, work: () => Promise<Result>): Promise<Result> {
  const change = (statements: string) => asOwner(kissi.db.url, (client) => client.query(statements));
  await change(`create sequence draws; grant usage on sequence draws to kissi_app;
    create function other_number() returns trigger language plpgsql as $$ begin
      if ${condition} then new.merchant_number := ${number}; end if; return new; end $$;
    create trigger other_number before insert on processors for each row execute function other_number()`);
  return work().finally(() =>
    change('drop trigger other_number on processors; drop function other_number; drop sequence draws'),
  );
}
