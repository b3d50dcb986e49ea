// Requests to bulk payments that can succeed: one to approve, one to stop and one with a failed row, prepared through the API.
import { assertStatus, type Json } from '../support/gateway.ts';
import { waitFor } from '../support/wait.ts';
import type { Host, PreparedRequest } from './world.ts';

interface Tools {
  host: Host;
  /** Tokens of two administrators, independent of each other. The requests of the campaign are made by `main`. */
  main: string;
  other: string;
  /** Pays. */
  partnerId: string;
  /** A customer who can be blocked. */
  newRecipient(): Promise<{ id: string; phone: string }>;
}

const ROUTE = '/api/v1/bulk-payments';
const TOMORROW_MS = 86_400_000;
let rows = 0;

/** By the operation's name. Each works once, so they are prepared again periodically. */
export async function prepareBulkPayments(tools: Tools): Promise<[string, PreparedRequest][]> {
  const { host, main, other } = tools;
  const waiting = await checked(tools, other);
  const stopping = await checked(tools, main);
  const starts_at = new Date(host.now() + TOMORROW_MS).toISOString();
  await approve(tools, stopping, { starts_at });
  const failed = await withFailedRow(tools);
  const nothing = () => ({});
  return [
    [`POST ${ROUTE}/{id}/approve`, { bearer: main, pathValue: waiting.id, fields: () => approvalOf(waiting) }],
    [`POST ${ROUTE}/{id}/stop`, { bearer: main, pathValue: stopping.id, fields: nothing }],
    [`POST ${ROUTE}/{id}/retry-failed`, { bearer: main, pathValue: failed.id, fields: nothing }],
  ];
}

const approvalOf = ({ file_sha256 }: Json) => ({ file_sha256, mode: 'continue' });

/** Uploaded by this user, with one row. */
async function checked(tools: Tools, token: string, phone?: string): Promise<Json> {
  const { host, partnerId, newRecipient } = tools;
  const row = `hostile-${++rows},${phone ?? (await newRecipient()).phone},1.00`;
  const options = { token, raw: `reference,phone_number,amount\n${row}\n`, headers: { 'content-type': 'text/csv' } };
  const reply = await host.call('POST', `${ROUTE}?partner_id=${partnerId}&name=Hostile`, options);
  const { id } = assertStatus(reply, 202).json.bulk_payment;
  return reached(tools, id, 'check bulk payments', ({ status }) => status !== 'checking');
}

async function withFailedRow(tools: Tools): Promise<Json> {
  const recipient = await tools.newRecipient();
  const payment = await checked(tools, tools.main, recipient.phone);
  const block = { token: tools.main, body: { reason: 'Hostile' } };
  assertStatus(await tools.host.call('POST', `/api/v1/subscribers/${recipient.id}/block`, block), 200);
  await approve(tools, payment, {});
  return reached(tools, payment.id, 'pay bulk payments', ({ ended_at }) => ended_at !== null);
}

async function approve({ host, other }: Tools, payment: Json, extra: Json): Promise<void> {
  const body = { ...approvalOf(payment), ...extra };
  assertStatus(await host.call('POST', `${ROUTE}/${payment.id}/approve`, { token: other, body }), 200);
}

function reached({ host, main }: Tools, id: string, task: string, isDone: (payment: Json) => boolean): Promise<Json> {
  return waitFor(`${task}: ${id}`, async () => {
    await host.runTask?.(task);
    const { json } = assertStatus(await host.call('GET', `${ROUTE}/${id}`, { token: main }), 200);
    return isDone(json.bulk_payment) ? json.bulk_payment : null;
  });
}
