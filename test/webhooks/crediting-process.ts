// A process that posts credits and delivers their events until it is killed, for the crash tests of webhooks.
import { compose } from '../../src/app/compose.ts';
import { openDatabase } from '../../src/db/database.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { createLoggers } from '../../src/http/log.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { TEST_SHARDS } from '../support/citus.ts';
import { LONG_TIMEOUTS } from '../support/database.ts';
import { SECRETS } from '../support/gateway.ts';
import { testLedger } from '../support/ledger.ts';
import { completed, creditOrder, type TestPartner } from './receiver.ts';

const [url = '', walletId = '', partnerJson = '{}'] = process.argv.slice(2);
const partner = JSON.parse(partnerJson) as TestPartner;
const database = openDatabase({ url, poolSize: 8, role: APP_ROLE, timeouts: LONG_TIMEOUTS, shards: TEST_SHARDS });
const { services } = await compose({
  config: loadConfig({ WEBHOOK_ALLOW_PRIVATE: 'true' }),
  secrets: SECRETS,
  database,
  clock: systemClock,
  loggers: createLoggers({ level: 'silent' }),
  version: '0.0.0-test',
});
const ledger = testLedger({ pool: database.pool, clock: systemClock, maxBatch: 8 });

async function creditRepeatedly(name: string): Promise<void> {
  for (let number = 0; ; number++) {
    const event = completed(partner, { reference: `${name}-${number}`, subscriberId: walletId, amount: 1 });
    await ledger.post(creditOrder(event, systemClock));
    services.webhooks.wake();
  }
}

await Promise.all(Array.from({ length: 16 }, (_, n) => creditRepeatedly(`worker-${n}`)));
