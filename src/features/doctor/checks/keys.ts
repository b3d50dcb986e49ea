// Checks of the keys: whether a change of MASTER_KEY or PIN_PEPPER was finished, and whether all gateways have the same keys.
import { ringOf } from '../../../kernel/key-ring.ts';
import { type Check, type Examined, type Finding, fine, warn } from '../check.ts';
import * as store from '../store.ts';

export const KEY_CHECKS: readonly Check[] = [{ id: 'keys', area: 'configuration', name: 'Keys', run: keys }];

const GUIDE = 'docs/operations/keys.md';

async function keys({ config, database: { queries } }: Examined): Promise<Finding> {
  for (const name of ['MASTER_KEY', 'PIN_PEPPER'] as const) {
    const text = config.secrets[name];
    if (text === undefined) continue;
    const { first, configured, replaced } = ringOf(text);
    const retired = await store.retiredKeys(queries, name);
    const useless = configured.find(({ id }) => retired.includes(id));
    if (useless)
      return warn(`Nothing needs the key ${useless.id} of ${name} any more.`, `Remove it (${GUIDE}, step 7).`);
    const written = await store.writtenKeys(queries, name);
    if (written.some((id) => id !== first.id)) {
      return warn(
        `Gateways write under the keys ${written.join(' and ')} of ${name}, and ${first.id} is the first one here.`,
        `Restart every gateway with the same ${name} (${GUIDE}).`,
      );
    }
    const [old] = replaced;
    if (old) {
      const todo = 'Run npm run keys:rotate; npm run keys:status counts what still needs it.';
      return warn(`The key ${old.id} of ${name} is being replaced by ${first.id}, which is not finished.`, todo);
    }
  }
  return fine('All gateways write under the same keys, and no old key is left.');
}
