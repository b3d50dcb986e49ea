// Tests the settings of the USSD gateway: secrets, addresses, and what production requires.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigFaults, type Environment, loadConfig } from './config.ts';
import { ussdFaults } from './ussd.ts';

const [FIRST, NEXT] = ['tJ4x9Qm2Vb7Lz0Ks5Wd8Rf3Hy6Np1Gc_', 'uK5y0Rn3Wc8Ma1Lt6Xe9Sg4Iz7Oq2Hd-'];

function faultsOf(env: Environment): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
}

test('one secret or two, and addresses with blocks', () => {
  const { ussd } = loadConfig({ USSD_SECRET: `${FIRST}, ${NEXT}`, USSD_ALLOWED: '198.51.100.0/24, 2001:db8::7' });
  assert.deepEqual(ussd, {
    ...{ secrets: [FIRST, NEXT], allowed: ['198.51.100.0/24', '2001:db8::7'] },
    ...{ pageLimit: 182, supportNumber: '' },
  });
  assert.deepEqual(loadConfig({}).ussd.secrets, []);
});

test('a short secret, a third one, one that no path can hold, or an address that is none, is a fault', () => {
  for (const USSD_SECRET of ['short', `${FIRST},${NEXT},${FIRST}`, `${FIRST}/`, `${FIRST} ${NEXT}`]) {
    assert.match(faultsOf({ USSD_SECRET }).join(), /^USSD_SECRET must be one or two secrets/, USSD_SECRET);
  }
  assert.match(faultsOf({ USSD_ALLOWED: 'gateway.example' }).join(), /^USSD_ALLOWED must be addresses/);
  assert.match(faultsOf({ USSD_PAGE_LIMIT: '100' }).join(), /^USSD_PAGE_LIMIT must be a whole number from 160 to 182/);
});

test('production requires a secret for a service code, and addresses for a secret', () => {
  const unset = { USSD_SERVICE_CODE: '', USSD_SECRET: '', USSD_ALLOWED: '', USSD_PAGE_LIMIT: 182, SUPPORT_NUMBER: '' };
  const faults = (values: Partial<typeof unset>, APP_ENV: 'production' | 'staging' = 'production') =>
    ussdFaults({ ...unset, APP_ENV, ...values });
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ USSD_SERVICE_CODE: '*715#' }), [
    'USSD_SECRET must be set in production when USSD_SERVICE_CODE is.',
  ]);
  assert.deepEqual(faults({ USSD_SECRET: FIRST }), ['USSD_ALLOWED must be set in production when USSD_SECRET is.']);
  assert.deepEqual(faults({ USSD_SECRET: FIRST, USSD_ALLOWED: '198.51.100.7', USSD_SERVICE_CODE: '*715#' }), []);
  assert.equal(faults({ USSD_SECRET: 'example-example-example-example-x', USSD_ALLOWED: '198.51.100.7' }).length, 1);
  assert.deepEqual(faults({ USSD_SERVICE_CODE: '*715#' }, 'staging'), []);
});
