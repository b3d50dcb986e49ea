// Requests under approval policies: some are decided in the last days of the history, some wait for a second person.
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { ADMIN, type Demo, SECOND_ADMIN } from './country.ts';
import { accountOf } from './finance/bank-book.ts';
import type { HistoryDay } from './incidents.ts';
import { SLE } from './money.ts';
import type { Planned } from './payments.ts';
import { type DemoReply, type Json, must } from './runtime/client.ts';

const POLICIES = [
  { action: 'agents.fund', enabled: true, threshold: 500_000 * SLE },
  { action: 'inbound.reverse', enabled: true },
];

/** Enabled at the end: during the history people are registered and their levels raised without a second person. */
const LAST_POLICIES = [
  { action: 'fees.change', enabled: true },
  { action: 'kyc.raise', enabled: true },
];

const FLOAT = 600_000 * SLE;

const finance = (demo: Demo) => demo.session('finance@kissi.example');
const secondFinance = (demo: Demo) => demo.session('finance2@kissi.example');

/** Policies and the first request that waits some days ago, decisions and a second waiting request yesterday. */
export function approvalsOf(demo: Demo, { start, day, days }: HistoryDay): Planned[] {
  const at = (hour: number, run: Planned['run']): Planned => ({ at: start + hour * HOUR_MS, run });
  if (day === Math.max(0, days - 5))
    return [at(8, () => setPolicies(demo, POLICIES)), at(14, async () => void (await requestFloat(demo, 6)))];
  if (day === days - 2)
    return [at(10, () => decideRequests(demo)), at(15, async () => void (await requestFloat(demo, 5)))];
  return [];
}

/** Two administrators exist, so the second one approves each policy change. */
async function setPolicies(demo: Demo, policies: readonly object[]): Promise<void> {
  for (const policy of policies) {
    const reply = await must(demo.session(ADMIN.email).call('PUT', '/admin/approval-policies', policy), 'policy');
    if (!reply.approval) continue;
    await must(
      demo.session(SECOND_ADMIN.email).call('POST', `/admin/approvals/${reply.approval.id}/approve`),
      'policy',
    );
  }
}

/** One request is approved, one rejected, one withdrawn. */
async function decideRequests(demo: Demo): Promise<void> {
  const [approved, rejected, withdrawn] = [
    await requestFloat(demo, 1),
    await requestFloat(demo, 2),
    await requestFloat(demo, 3),
  ];
  await must(secondFinance(demo).call('POST', `/admin/approvals/${approved.id}/approve`), 'approval');
  const entry = { amount: FLOAT, reference: null, name: demo.country.agents[1]?.name ?? null, text: 'Cash deposit' };
  demo.bankBook.book(accountOf(1), demo.clock.now(), entry);
  const reason = 'The bank deposit has not arrived.';
  await must(secondFinance(demo).call('POST', `/admin/approvals/${rejected.id}/reject`, { reason }), 'rejection');
  await must(finance(demo).call('POST', `/admin/approvals/${withdrawn.id}/withdraw`), 'withdrawal');
}

async function requestFloat(demo: Demo, network: number): Promise<Json> {
  const agent = demo.country.agents[network];
  const body = { amount: FLOAT, description: 'Float for the school fee season' };
  return pending(await finance(demo).call('POST', `/agents/${agent?.id}/fund`, body));
}

/** At the end of the history: these wait when the demo begins. */
export async function requestApprovals(demo: Demo): Promise<void> {
  await requestFloat(demo, 4);
  await requestReversal(demo);
  await setPolicies(demo, LAST_POLICIES);
  await requestFee(demo);
  await requestLevel(demo);
}

/** For the newest credit that can still be reversed. */
async function requestReversal(demo: Demo): Promise<void> {
  const { inbound: credits } = await must(
    finance(demo).call('GET', '/admin/inbound?status=COMPLETED&limit=20'),
    'credits',
  );
  for (const { inbound_id: id } of credits) {
    const body = { reason: 'The bank asks for its money back: paid twice' };
    const reply = await finance(demo).call('POST', `/admin/inbound/${id}/reverse`, body);
    if (reply.status === 202) return;
  }
}

async function requestFee(demo: Demo): Promise<void> {
  const setting = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'percentage', fee_value: 0.8 };
  const body = { ...setting, debit_enabled: true, credit_enabled: false };
  pending(await demo.session(ADMIN.email).call('PUT', '/fee-settings', body));
}

/** Sales adds the documents of a customer, and compliance asks for the next level. */
async function requestLevel(demo: Demo): Promise<void> {
  const officer = demo.session('compliance@kissi.example');
  const listed = await must(officer.call('GET', '/subscribers?kyc_level=1&status=ACTIVE&limit=10'), 'subscribers');
  const customer = listed.subscribers.find(({ phone_number }: Json) => phone_number !== undefined);
  const documents = {
    id_type: 'NATIONAL_ID',
    id_number: 'SL00000001',
    id_document_url: 'https://documents.kissi.example/id/SL00000001.jpg',
  };
  await must(demo.session('sales@kissi.example').call('PUT', `/subscribers/${customer.id}`, documents), 'documents');
  pending(await officer.call('PUT', `/subscribers/${customer.id}`, { kyc_level: 2 }));
}

function pending({ status, json }: DemoReply): Json {
  if (status !== 202) throw new Error(`a request did not wait for approval: ${status} ${JSON.stringify(json)}`);
  return json.approval;
}
