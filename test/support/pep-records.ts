// What else is stored about a politically exposed person: an identity document, a case with a file, and a row of a bulk payment.
import { approve, whenEnded } from './bulk-execution.ts';
import { bulkRows, checkedBulk, csvOf } from './bulk-payments.ts';
import { assertStatus } from './gateway.ts';
import { partnerBank } from './partner.ts';
import type { PepWorld } from './pep-world.ts';
import { staffToken } from './staff.ts';

const BULK_AMOUNT = 387_653;
const OTHER_AMOUNT = 20_011;
const leones = (minor: number) => (minor / 100).toFixed(2);

/** Ids in paths of the crawl. */
export interface Records {
  caseId: string;
  fileId: string;
  /** Of another customer, who is not protected. */
  otherCaseId: string;
  bulkId: string;
}

/** Adds them to what staff without access must not see. */
export async function addRecords(world: PepWorld): Promise<Records> {
  await addDocument(world);
  return { ...(await addCases(world)), bulkId: await payBulk(world) };
}

async function addDocument({ kissi, pep, open, references }: PepWorld): Promise<void> {
  const file = { raw: '%PDF-1.7\n', headers: { 'content-type': 'application/pdf' }, token: open.token };
  const uploaded = await kissi.call('POST', `/api/v1/subscribers/${pep.id}/documents?kind=identity`, file);
  references.push(assertStatus(uploaded, 201).json.document.id);
}

async function addCases({ kissi, pep, other, open, transactions, references }: PepWorld) {
  const post = async (path: string, body: object) =>
    assertStatus(await kissi.call('POST', `/api/v1${path}`, { token: open.token, body }), 201).json.case;
  references.push('Zq7-case-unheard', 'Zq7-file-unheard');
  const about = { kind: 'failed_payment', transaction_id: transactions[2], description: 'Zq7-case-unheard' };
  const { id: caseId, number } = await post('/cases', { subscriber_id: pep.id, ...about });
  references.push(caseId, number);
  const file = { raw: '%PDF-1.7\n', headers: { 'content-type': 'application/pdf' }, token: open.token };
  const uploaded = await kissi.call('POST', `/api/v1/cases/${caseId}/files?name=Zq7-file-unheard`, file);
  const otherCase = await post('/cases', { kind: 'other', subscriber_id: other.id, description: 'Ordinary' });
  return { caseId, fileId: assertStatus(uploaded, 201).json.file.id, otherCaseId: otherCase.id };
}

/** A partner pays two people. */
async function payBulk({ kissi, pep, other, amounts, references, transactions }: PepWorld): Promise<string> {
  const [uploader, approver] = [await staffToken(kissi, 'finance_user'), await staffToken(kissi, 'finance_user')];
  const { id: partner_id } = await partnerBank(kissi, { fields: { outstanding_limit: 100_000_000 } });
  const reference = 'Zq7-bulk-unheard';
  const rows = [
    { reference, phone: pep.phone, amount: leones(BULK_AMOUNT) },
    { phone: other.phone, amount: leones(OTHER_AMOUNT) },
  ];
  const payment = await checkedBulk(kissi, uploader, csvOf(rows), { partner_id });
  assertStatus(await approve(kissi, approver, payment), 200);
  await whenEnded(kissi, approver, payment);
  const [paid] = await bulkRows(kissi, uploader, payment.id);
  amounts.push(BULK_AMOUNT);
  references.push(reference);
  transactions.push(paid?.transaction_id);
  return payment.id;
}
