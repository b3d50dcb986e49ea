// The part of the scenario about a customer's own wallet.
import { DAY_MS } from '../../src/kernel/clock.ts';
import { loginCode } from '../support/customers.ts';
import type { Json } from '../support/gateway.ts';
import { runChore } from '../support/staff.ts';
import type { People } from './customers.ts';
import { ownPayments } from './own-payments.ts';
import type { Scene } from './scene.ts';

const PIN = '4821';

export async function ownWallet(scene: Scene, people: People): Promise<void> {
  const { aminata: customer, agent, processor } = people;
  const { send, refused, kissi } = scene;
  const open = async (device_name: string) => {
    const { challenge } = await send('POST', '/me/login', { phone_number: customer.phone_number });
    return { challenge, device_name, pin: PIN, code: await loginCode(kissi, customer.phone_number) };
  };
  const answer = await open("Aminata's Tecno");
  await refused('INVALID_CODE', 'POST', '/me/login/verify', { ...answer, challenge: 'unknown' });
  await refused('INVALID_PIN', 'POST', '/me/login/verify', { ...answer, pin: '0000' });
  const first = await send('POST', '/me/login/verify', answer);
  await refused('NEW_DEVICE', 'POST', '/me/change-pin', { current_pin: PIN, new_pin: '7305' }, { token: first.token });
  await send('GET', '/me', undefined, { token: first.token });
  const other = await send('POST', '/me/login/verify', await open('Old phone'));
  kissi.clock.advance(DAY_MS);
  await scene.renew();
  await refused('UNAUTHORIZED', 'POST', '/me/login/device', { device_token: 'unknown', pin: PIN });
  const login = await send('POST', '/me/login/device', { device_token: first.device_token, pin: PIN });
  const { token, refresh_token } = await send('POST', '/me/refresh', { refresh_token: login.refresh_token });
  const own = { token };
  await send('GET', '/me/balance', undefined, own);
  const { transactions } = await send('GET', '/me/transactions?limit=2', undefined, own);
  await send('GET', `/me/transactions/${transactions[0].transaction_id}`, undefined, own);
  await refused('NOT_FOUND', 'GET', '/me/transactions/txn_unknown', undefined, own);
  await ownPayments(scene, people, own);
  await send('GET', '/me/requests/own-2026-0001', undefined, own);
  const range = 'from=2026-03-01&to=2026-03-02';
  await send('GET', `/me/statement?${range}`, undefined, own);
  await send('GET', `/me/statement?${range}&format=csv`, undefined, own);
  await runChore(kissi, 'write refused payments');
  await send('GET', '/me/refusals?limit=2', undefined, own);
  for (const party of [`subscribers/${customer.id}`, `processors/${processor.id}`, `agents/${agent.id}`])
    await send('GET', `/${party}/refusals?limit=2`);
  const { cards } = await send('GET', '/me/cards', undefined, own);
  const { serial } = cards.find(({ status }: Json) => status === 'active');
  await send('POST', `/me/cards/${serial}/block`, undefined, own);
  await send('POST', `/me/cards/${serial}/unblock`, { pin: PIN }, own);
  await send('GET', '/me/notifications', undefined, own);
  await send('PUT', '/me/notifications', { language: 'kri', show_balance: false }, own);
  await send('GET', '/me/devices', undefined, own);
  await send('DELETE', `/me/devices/${other.device.id}`, undefined, own);
  await send('POST', '/me/change-pin', { current_pin: PIN, new_pin: '7305' }, own);
  await send('POST', '/me/logout', { refresh_token });
}
