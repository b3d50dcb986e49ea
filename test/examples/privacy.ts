// The part of the scenario about personal data: a customer who leaves, and is erased after the years of retention.
import { DAY_MS } from '../../src/kernel/clock.ts';
import type { Scene } from './scene.ts';

export async function privacy({ send, refused, renew, kissi }: Scene): Promise<void> {
  const names = { phone_number: '+23279555777', first_name: 'Sia', last_name: 'Gborie', pin: '4821' };
  const { subscriber } = await send('POST', '/subscribers', names);
  const path = `/subscribers/${subscriber.id}`;
  const request = { reason: 'The customer closed the wallet and asked in writing' };
  await send('GET', `${path}/personal-data`);
  await refused('NOT_ERASABLE', 'POST', `${path}/erase`, request);
  kissi.clock.advance(5 * 366 * DAY_MS);
  await renew();
  await send('POST', `${path}/erase`, request);
}
