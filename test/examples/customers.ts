// The part of the scenario about subscribers, cards, wallets, agents and merchants.
import sharp from 'sharp';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { agentToken, type TestAgent } from '../support/agents.ts';
import type { Json } from '../support/gateway.ts';
import { messageTo } from '../support/staff.ts';
import type { Scene } from './scene.ts';

export interface People {
  aminata: Json;
  mohamed: Json;
  partner: Json;
  agent: TestAgent;
  processor: Json;
}

const PIN = '4821';

export async function customers(scene: Scene): Promise<People> {
  const { send } = scene;
  const partner = (
    await send('POST', '/admin/partners', {
      name: 'Rokel Commercial Bank',
      webhook_url: scene.hooksUrl,
      ip_allowlist: ['127.0.0.0/8'],
      max_amount: 50_000_000,
      outstanding_limit: 500_000_000,
    })
  ).partner;
  const aminata = (
    await send('POST', '/subscribers', {
      ...{ phone_number: '076 345 678', first_name: 'Aminata', last_name: 'Kamara', pin: PIN },
      ...{ email: 'aminata.kamara@example.com', date_of_birth: '1994-05-17', address: '12 Wilkinson Road, Freetown' },
      ...{ id_type: 'NATIONAL_ID', id_number: 'SL1994051700123' },
    })
  ).subscriber;
  const mohamed = (
    await send('POST', '/subscribers', {
      ...{ phone_number: '+23277123456', first_name: 'Mohamed', last_name: 'Conteh', pin: PIN },
    })
  ).subscriber;
  await scene.refused('DUPLICATE_PHONE', 'POST', '/subscribers', {
    ...{ phone_number: '+23276345678', first_name: 'Aminata', last_name: 'Kamara', pin: PIN },
  });
  await cards(scene, aminata, mohamed);
  await wallets(scene, { aminata, mohamed, partner });
  const agent = await agents(scene, aminata);
  const processor = await merchants(scene);
  await subscribers(scene, mohamed);
  return { aminata, mohamed, partner, agent, processor };
}

async function cards({ send, refused }: Scene, aminata: Json, mohamed: Json): Promise<void> {
  const csv = { raw: 'serial\n04:D1:E2:F3\n04:D1:E2:F4\n', headers: { 'content-type': 'text/csv' } };
  await send('POST', '/cards/upload-csv', undefined, csv);
  await send('POST', '/cards/link', { card_serial: '04:A1:B2:C3', subscriber_id: aminata.id, label: 'Main card' });
  await send('POST', '/cards/link', { card_serial: '04:B7:C8:D9', subscriber_id: mohamed.id });
  const child = { parent_serial: '04:A1:B2:C3', card_serial: '04:A1:B2:C4', label: 'Fatmata', daily_limit: 20_000 };
  await send('POST', '/cards/child', child);
  await refused('CARD_ALREADY_LINKED', 'POST', '/cards/link', {
    card_serial: '04:A1:B2:C3',
    subscriber_id: mohamed.id,
  });
  await send('GET', '/cards?limit=2');
  await send('GET', '/cards/04:A1:B2:C3');
  await refused('CARD_NOT_FOUND', 'GET', '/cards/04:00:00:00');
  await send('PUT', '/cards/04:A1:B2:C4', { label: 'Fatmata, school', daily_limit: 15_000 });
  await send('POST', '/cards/04:A1:B2:C4/block', { reason: 'Lost on the way to school' });
  await send('POST', '/cards/04:A1:B2:C4/unblock');
  await send('POST', '/cards/04:A1:B2:C4/unlink', { reason: 'Replaced by another card' });
}

async function wallets(scene: Scene, { aminata, mohamed, partner }: Record<string, Json>): Promise<void> {
  const { send, refused } = scene;
  const funding = {
    partner_id: partner.id,
    subscriber_id: aminata.id,
    amount: 2_500_000,
    request_id: 'fund-2026-0001',
  };
  await send('POST', '/wallet/fund-from-partner', { ...funding, description: 'Salary March' });
  await send('POST', `/wallet/balance/${aminata.id}`, { pin: PIN });
  await refused('INVALID_PIN', 'POST', `/wallet/balance/${aminata.id}`, { pin: '0000' });
  await send('GET', `/balance/${aminata.id}`);
  const { key } = await send('POST', '/admin/api-keys', {
    name: 'Wallet app',
    scopes: ['payments:write', 'payments:read', 'balance:read', 'subscribers:read'],
    bearer: true,
  });
  const app = { token: key };
  const transfer = { sender_id: aminata.id, amount: 12_500, pin: PIN, request_id: 'p2p-2026-0001' };
  const to = { recipient_phone: '+23277123456', description: 'Market, Lumley' };
  const { transaction_id } = await send('POST', '/wallet/transfer', { ...transfer, ...to }, app);
  await send('GET', `/requests/${transfer.request_id}?party_id=${aminata.id}`, undefined, app);
  await refused('REQUEST_CONFLICT', 'POST', '/wallet/transfer', { ...transfer, ...to, amount: 13_000 }, app);
  const large = { ...transfer, ...to, amount: 9_000_000, request_id: 'p2p-2026-0002' };
  await refused('INSUFFICIENT_BALANCE', 'POST', '/wallet/transfer', large, app);
  await refused('INVALID_AMOUNT', 'POST', '/wallet/transfer', { ...large, amount: 12.5 }, app);
  const byCard = { ...transfer, recipient_card_serial: '04:B7:C8:D9', request_id: 'p2p-2026-0003' };
  await send('POST', '/wallet/transfer-p2p', byCard, app);
  await send('GET', `/transactions?subscriber_id=${aminata.id}&limit=2`, undefined, app);
  await send('GET', `/transactions/sums?subscriber_id=${aminata.id}&group=payments`, undefined, app);
  const { transaction } = await send('GET', `/transactions/${transaction_id}`);
  await send('GET', `/transactions/${transaction_id}/evidence`);
  await send('GET', `/transactions/${transaction_id}/receipt`);
  await send('GET', `/${new URL(transaction.receipt_url).pathname}`);
  const withdrawn = { reason: 'The customer posted the link in a public group.' };
  await send('POST', `/transactions/${transaction_id}/receipt/revoke`, withdrawn);
  await refused('NOT_FOUND', 'GET', `/${new URL(transaction.receipt_url).pathname}`);
  const day = { from: '2026-03-01', to: '2026-03-01' };
  await send('POST', '/wallet/account-statement', { subscriber_id: aminata.id, ...day });
  await send('POST', '/wallet/account-statement', { subscriber_id: aminata.id, ...day, format: 'csv' });
  await send('GET', '/search?q=Aminata');
  await refused(
    'SUBSCRIBER_NOT_FOUND',
    'POST',
    '/wallet/transfer',
    {
      ...{ ...transfer, sender_id: 'sub_unknown', recipient_id: mohamed.id, request_id: 'p2p-2026-0004' },
    },
    app,
  );
}

async function agents(scene: Scene, aminata: Json): Promise<TestAgent> {
  const { send, refused, kissi } = scene;
  const person = { first_name: 'Ibrahim', last_name: 'Sesay', location: 'Kissy Road, Freetown' };
  const superAgent = await register(scene, {
    ...{ agent_type: 'super_agent', business_name: 'Kissy Road Traders', ...person },
    ...{ phone_number: '+23278000111', email: 'kissy.road@example.com' },
  });
  const subAgent = await register(scene, {
    ...{ agent_type: 'sub_agent', business_name: 'Congo Market Kiosk', first_name: 'Isatu', last_name: 'Koroma' },
    ...{ phone_number: '+23278000222', email: 'congo.market@example.com', parent_agent_id: superAgent.id },
  });
  const { id, pin } = superAgent;
  await send('POST', `/agents/${id}/fund`, {
    amount: 5_000_000,
    request_id: 'float-2026-0001',
    description: 'Cash deposit',
  });
  await send('POST', `/agents/${id}/return-float`, { amount: 100_000, request_id: 'float-2026-0002' });
  const token = await agentToken(kissi, superAgent);
  await send('GET', '/admin/notifications', undefined, { token });
  await send('PUT', '/admin/notifications', { payments: true }, { token });
  const cashIn = {
    agent_id: id,
    phone_number: aminata.phone_number,
    amount: 40_000,
    pin,
    request_id: 'cashin-2026-0001',
  };
  await send('POST', '/agents/cashin', cashIn, { token });
  const tooMuch = { ...cashIn, amount: 6_000_000, request_id: 'cashin-2026-0002' };
  await refused('INSUFFICIENT_FLOAT', 'POST', '/agents/cashin', tooMuch, { token });
  const float = { from_agent_id: id, to_agent_id: subAgent.id, amount: 250_000, pin, request_id: 'float-2026-0003' };
  await send('POST', '/agents/transfer', float, { token });
  await floatRequests(scene, { superAgent, token, subAgent });
  await levelRequest(scene, token);
  const cash = { subscriber_id: aminata.id, agent_id: id, amount: 20_000, pin: PIN, request_id: 'cash-2026-0001' };
  await send('POST', '/wallet/withdraw', cash, { token });
  for (const path of ['', '/balance', '/transactions?limit=2', '/commissions?limit=2'])
    await send('GET', `/agents/${id}${path}`);
  await send('GET', '/agents?limit=2');
  await send('PUT', `/agents/${id}`, { location: 'Kissy Road 7, Freetown', settlement_mode: 'daily' });
  await send('POST', `/agents/${id}/change-pin`, { current_pin: pin, new_pin: '7305' }, { token });
  await send('POST', `/agents/${subAgent.id}/suspend`, { reason: 'Annual review' });
  await send('POST', `/agents/${subAgent.id}/reactivate`);
  await send('POST', `/agents/${subAgent.id}/reset-pin`, { reason: 'Forgotten' });
  await send('POST', `/agents/${subAgent.id}/return-float`, { amount: 250_000, request_id: 'float-2026-0004' });
  await send('POST', `/agents/${subAgent.id}/terminate`, { reason: 'The kiosk was closed' });
  return superAgent;
}

interface Network {
  superAgent: TestAgent;
  subAgent: TestAgent;
  /** The super-agent's. */
  token: string;
}

async function floatRequests({ send, kissi }: Scene, { superAgent, subAgent, token }: Network): Promise<void> {
  const own = { token: await agentToken(kissi, subAgent) };
  const path = `/agents/${subAgent.id}/float-requests`;
  const ask = async (amount: number) => (await send('POST', path, { amount, note: 'Market day' }, own)).float_request;
  const declined = await ask(900_000);
  await send('POST', `/agents/float-requests/${declined.id}/decline`, { reason: 'On Monday' }, { token });
  const cancelled = await ask(90_000);
  await send('POST', `/agents/float-requests/${cancelled.id}/cancel`, undefined, own);
  const accepted = await ask(1_000);
  await send('POST', `/agents/float-requests/${accepted.id}/accept`, { pin: superAgent.pin }, { token });
  await send('GET', `${path}?limit=2`, undefined, own);
  const back = { amount: 1_000, request_id: 'float-2026-0005' };
  await send('POST', `/agents/${subAgent.id}/return-float`, back);
}

async function levelRequest({ send }: Scene, token: string): Promise<void> {
  const person = { phone_number: '076 222 111', first_name: 'Kadiatu', last_name: 'Sesay', pin: PIN };
  const { id } = (await send('POST', '/subscribers', person, { token })).subscriber;
  const upload = async (kind: string, shade: number) => {
    const background = { r: shade, g: shade, b: shade };
    const raw = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .jpeg()
      .toBuffer();
    const headers = { 'content-type': 'image/jpeg' };
    const path = `/subscribers/${id}/documents?kind=${kind}`;
    return (await send('POST', path, undefined, { token, raw: new Uint8Array(raw), headers })).document.id;
  };
  const identity_document_id = await upload('identity', 200);
  const documents = { identity_document_id, face_document_id: await upload('face', 90) };
  const identity = { id_type: 'NATIONAL_ID', id_number: 'SL1990010100999', request_id: 'level-2026-0001' };
  await send('POST', `/subscribers/${id}/request-level`, { ...identity, ...documents }, { token });
  await send('GET', `/subscribers/${id}/documents`);
  await send('GET', `/subscribers/${id}/documents/${identity_document_id}`);
}

async function register({ send, kissi }: Scene, body: Json): Promise<TestAgent> {
  const { agent_id: id, user_id: userId } = await send('POST', '/agents', body);
  const { text } = await messageTo(kissi, body.phone_number);
  const [, password = ''] = /^Password: (\S+)$/m.exec(text) ?? [];
  const [, pin = ''] = /^PIN: (\d{4})$/m.exec(text) ?? [];
  return { id, userId, email: body.email, phone: body.phone_number, password, pin, parentId: null };
}

async function merchants({ send }: Scene): Promise<Json> {
  const { processor } = await send('POST', '/processors', {
    ...{ business_name: 'Lumley Beach Grill', contact_name: 'Fatu Turay', merchant_id: 'LUMLEY-GRILL' },
    ...{ phone_number: '+23233112233', email: 'grill@example.com' },
  });
  const { id } = processor;
  const { api_key, secret } = await send('POST', '/admin/api-keys', {
    ...{ name: 'Lumley terminal 1', scopes: ['payments:write', 'cards:read', 'payments:read'], processor_id: id },
  });
  await send('GET', `/processors/${id}`);
  await send('GET', `/processors/${id}/qr`);
  await send('GET', '/processors?limit=2');
  await send('PUT', `/processors/${id}`, { contact_name: 'Fatu Turay-Bangura' });
  return { ...processor, key: { id: api_key.id, secret } };
}

async function subscribers({ send, kissi }: Scene, mohamed: Json): Promise<void> {
  const path = `/subscribers/${mohamed.id}`;
  await send('GET', '/subscribers?limit=2');
  await send('GET', path);
  await send('PUT', path, { address: '3 Siaka Stevens Street, Freetown', date_of_birth: '1988-11-02' });
  await send('POST', `${path}/verify-pin`, { pin: PIN });
  await send('POST', `${path}/change-pin`, { current_pin: PIN, new_pin: '7305' });
  await send('POST', `${path}/block`, { reason: 'Suspicious transfers reported by the holder' });
  await send('POST', `${path}/unblock`, { reason: 'Identity was verified at the branch' });
  await send('GET', `${path}/limits`);
  await send('POST', `${path}/notes`, { text: 'Lost the phone at the market; calls back with a new number.' });
  await send('GET', `${path}/notes?limit=2`);
  await send('POST', `${path}/block`, { reason: 'Requested by the holder', transaction_types: ['transfer_p2p'] });
  await send('POST', `${path}/enable-types`, { transaction_types: ['transfer_p2p'] });
  const pending = {
    phone_number: '+23279555444',
    first_name: 'Hawa',
    last_name: 'Jalloh',
    pin: PIN,
    status: 'PENDING',
  };
  const hawa = (await send('POST', '/subscribers', pending)).subscriber;
  await send('POST', `/subscribers/${hawa.id}/activate`);
  await send('POST', `${path}/reset-pin`, { reason: 'Forgotten' });
  const { text } = await messageTo(kissi, mohamed.phone_number);
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
  await send('POST', '/public/pin-reset', { phone_number: mohamed.phone_number, code, new_pin: '6184' });
  for (const pin of ['0000', '1111', '2222']) await kissi.asAdmin.post(`${path}/verify-pin`, { pin });
  await send('POST', `${path}/unlock`, { reason: 'Identity was verified at the branch' });
  const self = { phone_number: '+23275667788', first_name: 'Sia', last_name: 'Lebbie', pin: PIN };
  const { subscriber_id } = await send('POST', '/public/subscribers', self);
  kissi.clock.advance(2 * MINUTE_MS);
  await send('POST', `/public/subscribers/${subscriber_id}/resend-code`);
  const sent = await messageTo(kissi, self.phone_number);
  await send('POST', `/public/subscribers/${subscriber_id}/verify`, { code: /\b\d{6}\b/.exec(sent.text)?.[0] });
}
