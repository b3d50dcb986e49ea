// Tests the guides for integrators: runs their commands and programs on one service and compares the output.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertTextsPrinted, guideService, withoutVariableParts } from '../support/guide.ts';

const service = await guideService({
  LAB: 'on',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  PARTNER_CASHIN_WEBHOOK_SECRET: 'a secret of the guide',
});
after(() => service.stop());

for (const name of ['quick-start', 'app', 'webhooks', 'errors-and-retries']) {
  test(`the commands and programs of ${name}.md print the documented replies and text`, async () => {
    const run = await service.run(`docs/guides/${name}.md`);
    assertTextsPrinted(run);
    assert.deepEqual(run.replies.map(withoutVariableParts), run.documentedReplies.map(withoutVariableParts));
  });
}
