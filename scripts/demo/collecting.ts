// The merchant with two logins, which pays many: its logins, and the customers' payments that it pays from.
import type { Random } from '@kissi/testkit/random';
import { askFor, payRequest } from './asking.ts';
import type { Demo, DemoMerchant } from './country.ts';
import { SLE } from './money.ts';

/** Of the merchant whose login is printed. */
export const SECOND_LOGIN = { first_name: 'Adama', last_name: 'Sesay', email: 'second.login@merchants.example' };
const PAYERS = 12;

export function merchantLogins(demo: Demo) {
  const merchant = merchantOf(demo);
  return {
    maker: demo.session(merchant.email),
    checker: demo.session(SECOND_LOGIN.email),
    processor_id: merchant.id,
  };
}

export function merchantOf({ country }: Pick<Demo, 'country'>): DemoMerchant {
  const merchant = country.merchants.find(({ refunds }) => refunds > 0.1);
  if (!merchant) throw new Error('there is no merchant with a login');
  return merchant;
}

/** Some customers pay for the month. */
export async function collect(demo: Demo, random: Random): Promise<void> {
  const merchant = merchantOf(demo);
  const payers = demo.country.subscribers.filter(({ status, pinRefused }) => status === 'active' && !pinRefused);
  for (const payer of payers.toSorted((a, b) => b.balance - a.balance).slice(0, PAYERS)) {
    const amount = Math.min(2_000 * SLE, Math.floor((payer.balance * 0.5) / SLE) * SLE);
    await payRequest(demo, await askFor(demo, random, merchant, { amount, description: 'Monthly order' }), payer);
  }
}
