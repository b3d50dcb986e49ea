// The environment of the demo's service.
import { randomBytes } from 'node:crypto';
import type { Environment } from '../../src/kernel/config/config.ts';
import { ADMIN, type Country } from './country.ts';
import { USSD_SERVICE_CODE } from './ussd.ts';

/** All requests of the demo come from one address and a few credentials. */
const LIMITS = {
  RATE_LIMIT_RPS: '100000',
  RATE_LIMIT_BURST: '100000',
  USER_RATE_LIMIT_RPS: '100000',
  USER_RATE_LIMIT_BURST: '100000',
  LOGINS_PER_MINUTE: '100000',
};

export function settingsOf(env: Environment, { cashInSecret, password }: Country): Record<string, string> {
  const { DATABASE_URL: _, DATABASE_ADMIN_URL: __, ...own } = env;
  const settings = {
    LOG_LEVEL: 'error',
    // Integrators try the demo first: the lab's amounts are none that the demo pays.
    LAB: 'on',
    // The lab's phone shows what people are told.
    NOTICES: 'all',
    SMS_PROVIDER: 'lab',
    USSD_SERVICE_CODE,
    USSD_SECRET: randomBytes(24).toString('hex'),
    SUPPORT_NUMBER: '117',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...own,
    ...LIMITS,
    // A folder of an earlier version has none.
    ...(cashInSecret ? { PARTNER_CASHIN_WEBHOOK_SECRET: cashInSecret } : {}),
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: password,
  };
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
