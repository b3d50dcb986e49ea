// Bulk payments for tests: files, uploads by each kind of payer, and waiting until they are checked.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { runChore, type TestKey } from './staff.ts';
import { signatureHeaders } from './terminal.ts';
import { waitFor } from './wait.ts';

export const CSV = 'text/csv';
export const HEADER = 'reference,phone_number,name,amount,description';

let references = 0;
/** Differs from that of all other rows of the test file. */
export const newReference = () => `salary-${++references}`;

export interface FileRow {
  reference?: string;
  phone: string;
  name?: string;
  /** In leones. */
  amount?: string;
  description?: string;
}

export function csvOf(rows: readonly FileRow[]): string {
  const lines = rows.map(({ reference = newReference(), phone, name = '', amount = '100.00', description = '' }) =>
    [reference, phone, name.includes(',') ? `"${name}"` : name, amount, description].join(','),
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}

export const sha256 = (file: string | Uint8Array) => createHash('sha256').update(file).digest('hex');

/** `by`: an access token, or a key that signs. */
export function uploadBulk(
  kissi: TestGateway,
  by: string | TestKey,
  query: Record<string, string>,
  file: string | Uint8Array<ArrayBuffer>,
  type = CSV,
): Promise<CallReply> {
  const signed = typeof by === 'string' ? {} : { file_sha256: sha256(file) };
  const path = `/api/v1/bulk-payments?${new URLSearchParams({ ...signed, ...query })}`;
  const content = { 'content-type': type };
  if (typeof by === 'string') return kissi.call('POST', path, { raw: file, token: by, headers: content });
  const at = new Date(kissi.clock.now()).toISOString();
  const headers = signatureHeaders(by, { method: 'POST', path, at, body: '' });
  return kissi.call('POST', path, { raw: file, headers: { ...headers, ...content } });
}

export async function getBulk(kissi: TestGateway, token: string, id: string): Promise<Json> {
  const reply = await kissi.call('GET', `/api/v1/bulk-payments/${id}`, { token });
  return assertStatus(reply, 200).json.bulk_payment;
}

export async function bulkRows(kissi: TestGateway, token: string, id: string, query = ''): Promise<Json[]> {
  const reply = await kissi.call('GET', `/api/v1/bulk-payments/${id}/rows${query}`, { token });
  return assertStatus(reply, 200).json.rows;
}

/** Uploads a file that is right, waits until it is checked, and returns the bulk payment. */
export async function checkedBulk(
  kissi: TestGateway,
  token: string,
  file: string,
  query: Record<string, string> = {},
): Promise<Json> {
  const { id } = assertStatus(await uploadBulk(kissi, token, query, file), 202).json.bulk_payment;
  return whenChecked(kissi, token, id);
}

export async function whenChecked(kissi: TestGateway, token: string, id: string): Promise<Json> {
  await waitFor('the bulk payment is checked', async () => {
    await runChore(kissi, 'check bulk payments');
    return (await getBulk(kissi, token, id)).status !== 'checking';
  });
  const payment = await getBulk(kissi, token, id);
  assert.equal(payment.status, 'checked');
  return payment;
}

export async function storedRows(kissi: TestGateway): Promise<number> {
  return (await kissi.db.query('select count(*)::int as n from bulk_payment_rows')).rows[0].n;
}
