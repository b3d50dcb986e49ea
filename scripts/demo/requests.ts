// Payment requests of the merchant whose login is published: a charge that waits for a customer, and a link.
import { ADMIN, type Demo } from './country.ts';
import { SLE } from './money.ts';
import { must } from './runtime/client.ts';

const DAY_SECONDS = 86_400;

export async function askForPayments(demo: Demo): Promise<void> {
  const { logins, merchants } = demo.country;
  const login = logins.find(({ role }) => role === 'processor');
  const merchant = merchants.find(({ email }) => email === login?.email);
  if (!merchant) return;
  const ask = (body: object) =>
    must(
      demo.session(ADMIN.email).call('POST', '/payment-requests', { processor_id: merchant.id, ...body }),
      `request of ${merchant.name}`,
    );
  await ask({
    description: 'Deposit for an order',
    single_use: false,
    expires_in: 90 * DAY_SECONDS,
    request_id: 'demo-link',
  });
  await ask({
    amount: 250 * SLE,
    description: 'Order 1042',
    reference: '1042',
    expires_in: DAY_SECONDS,
    request_id: 'demo-charge',
  });
}
