// Loads the current address and secrets of an endpoint before every delivery attempt.
import type { Vault } from '../../auth/vault.ts';
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { WebhookTarget } from '../../webhooks/attempt.ts';
import { readTargets, type SealedTarget } from './store.ts';

export interface TargetContext {
  database: Pick<Database, 'reader'>;
  vault: Vault;
  clock: Clock;
}

export function createTargetLoader({ database, vault, clock }: TargetContext): Load<string, WebhookTarget | null> {
  function targetOf({ id, url, sealed }: SealedTarget): WebhookTarget {
    try {
      return { url, secrets: sealed.map((secret) => vault.open(secret, id)) };
    } catch (decryptionError) {
      // Affects only this endpoint: the others of the batch are still loaded.
      return { url, secrets: [], decryptionError };
    }
  }

  return batchLoader({
    async fetch(ids: string[]) {
      const rows = await readTargets(database.reader, ids, new Date(clock.now()));
      const found = new Map(rows.map((row) => [row.id, targetOf(row)]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}
