// The part of the scenario about bulk payments.
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { loginOf, payDue, whenEnded } from '../support/bulk-execution.ts';
import { CSV, csvOf, HEADER, sha256, whenChecked } from '../support/bulk-payments.ts';
import type { People } from './customers.ts';
import type { Scene } from './scene.ts';

export async function bulkPayments(scene: Scene, { aminata, mohamed, partner, processor }: People): Promise<void> {
  const { send, refused, kissi } = scene;
  const path = `/bulk-payments?partner_id=${partner.id}&name=Nurses%2C+March`;
  const file = [
    HEADER,
    `NURSE-0001,${aminata.phone_number},Aminata Kamara,1250.50,Salary March`,
    `NURSE-0002,${mohamed.phone_number},Musa Sesay,980.00,Salary March`,
    'NURSE-0003,+23299000000,Isata Koroma,980.00,Salary March',
    '',
  ].join('\n');
  const csv = { raw: file, headers: { 'content-type': 'text/csv' } };
  const { bulk_payment } = await send('POST', `${path}&file_sha256=${sha256(file)}`, undefined, csv);
  await whenChecked(kissi, await kissi.adminToken(), bulk_payment.id);
  await refused('BULK_PAYMENT_EXISTS', 'POST', path, undefined, csv);
  const faulty = { ...csv, raw: `${HEADER}\nNURSE-0004,${aminata.phone_number},Aminata Kamara,-5,\n` };
  await refused('INVALID_REQUEST', 'POST', path, undefined, faulty);
  const own = `/bulk-payments/${bulk_payment.id}`;
  await send('GET', '/bulk-payments?limit=2');
  await send('GET', own);
  await send('GET', `${own}/rows?limit=3`);
  await send('GET', `${own}/report.csv`);
  await send('GET', `${own}/report.pdf`);
  const limits = `/admin/bulk-payment-limits/${processor.id}`;
  await send('PUT', limits, { unpaid_rows: 5_000 });
  await send('GET', limits);
  const rows = [{ reference: 'BONUS-1', phone_number: aminata.phone_number, amount: '50.00' }];
  const treasury = await send('POST', '/bulk-payments?treasury=true&name=Bonus', { rows });
  await whenChecked(kissi, await kissi.adminToken(), treasury.bulk_payment.id);
  await send('POST', `/bulk-payments/${treasury.bulk_payment.id}/cancel`);
  await refused('BULK_PAYMENT_STATE', 'POST', `/bulk-payments/${treasury.bulk_payment.id}/cancel`);
  await paid(scene, { aminata, processor });
}

/** One is stopped before its time; of another one, a row fails, which is retried. */
async function paid(
  { send, kissi }: Scene,
  { aminata, processor }: Pick<People, 'aminata' | 'processor'>,
): Promise<void> {
  const [uploader, approver] = [await loginOf(kissi, processor), await loginOf(kissi, processor)];
  const starts_at = new Date(kissi.clock.now() + MINUTE_MS).toISOString();
  async function approved(name: string) {
    const raw = csvOf([{ phone: aminata.phone_number, amount: '1.00' }]);
    const file = { raw, headers: { 'content-type': CSV }, token: uploader };
    const { bulk_payment } = await send('POST', `/bulk-payments?name=${name}`, undefined, file);
    const { id, file_sha256 } = await whenChecked(kissi, uploader, bulk_payment.id);
    const approval = { file_sha256, mode: 'continue', starts_at };
    await send('POST', `/bulk-payments/${id}/approve`, approval, { token: approver });
    return { id };
  }
  const stopped = await approved('Transport');
  await send('POST', `/bulk-payments/${stopped.id}/stop`, {}, { token: uploader });
  const failing = await approved('Salaries');
  await send('POST', `/subscribers/${aminata.id}/block`, { reason: 'Stolen phone' });
  kissi.clock.advance(MINUTE_MS);
  await payDue(kissi);
  await whenEnded(kissi, uploader, failing);
  await send('POST', `/subscribers/${aminata.id}/unblock`, { reason: 'Found' });
  await send('POST', `/bulk-payments/${failing.id}/retry-failed`, {}, { token: uploader });
}
