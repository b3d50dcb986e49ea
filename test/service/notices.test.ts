// A gateway is killed while it tells customers of payments: the next start tells the rest, and what may not have arrived again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { administrator, makeCustomer, makePartner } from '@kissi/testkit/parties';
import { ADMIN, runService, temporaryFolder } from '@kissi/testkit/service';
import { SENT, smsServer, smsSettings } from '../support/sms.ts';
import { waitFor } from '../support/wait.ts';

test('after kill -9 in the middle of sending, every payment is told, under the same text', async () => {
  const [folder, sms] = [await temporaryFolder(), await smsServer()];
  const login = { BOOTSTRAP_ADMIN_EMAIL: ADMIN.email, BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password };
  const env = { DATA_DIR: folder.path, ...login, ...(smsSettings(sms) as Record<string, string>) };
  let service = await runService(env);
  try {
    const admin = administrator(service.url);
    const [customer, { id: partner_id }] = [await makeCustomer(admin), await makePartner(admin)];
    const fund = async (amount: number, subscriber_id = customer.id) => {
      await admin.wallet.fundFromPartner({ partner_id, subscriber_id, amount });
    };
    await waitFor('the first payments are told', async () => {
      // Nobody is told of more than a few dozen payments in an hour.
      await fund(100, (await makeCustomer(admin)).id);
      return sms.accepted.length > 0;
    });
    // Payments are told in their order: what waits before it would be tried first, alone, again and again.
    await fund(77);
    await waitFor('all of them are told', () => sms.accepted.some(({ message }) => message.includes('SLE 0.77')));
    // From here on no answer arrives: what the gateway sends stays unrecorded.
    sms.react(() => undefined);
    for (const amount of [500_001, 500_002, 500_003]) await fund(amount);
    await waitFor('a text waits for its answer', () => sms.received.some(({ message }) => message.includes('5,000.0')));
    await service.stop('SIGKILL');
    sms.react(SENT);
    service = await runService(env);
    for (const amount of ['5,000.01', '5,000.02', '5,000.03']) {
      const text = await waitFor(`a notice of ${amount}`, () =>
        sms.accepted.find(({ message }) => message.includes(`got SLE ${amount}`)),
      );
      const sent = sms.received.filter(({ message }) => message.includes(`got SLE ${amount}`));
      assert.deepEqual([...new Set(sent.map(({ message }) => message))], [text.message], 'the same text');
    }
  } finally {
    await service.stop('SIGTERM');
    await Promise.all([folder.remove(), sms.close()]);
  }
});
