// The part of the scenario about bulk payments.
import { sha256, whenChecked } from '../support/bulk-payments.ts';
import type { People } from './customers.ts';
import type { Scene } from './scene.ts';

const HEADER = 'reference,phone_number,name,amount,description';

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
  await send('POST', `/bulk-payments/${treasury.bulk_payment.id}/cancel`);
  await refused('BULK_PAYMENT_STATE', 'POST', `/bulk-payments/${treasury.bulk_payment.id}/cancel`);
}
