// Loads a partner's current webhook URL and secrets before every delivery attempt.
import type { Vault } from '../../../auth/vault.ts';
import { batchLoader, type Load } from '../../../db/batch-loader.ts';
import type { Database } from '../../../db/database.ts';
import { textArray } from '../../../db/driver/binary-arrays.ts';
import { byteas, nullable, record, text, textOrNull } from '../../../db/driver/columns.ts';
import { statement } from '../../../db/driver/statement.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { WebhookTarget } from '../../../webhooks/attempt.ts';

const ENDPOINTS = statement(
  'partner-endpoints',
  `select partner.id, partner.webhook_url, secret.sealed
  from unnest($1::text[]) as requested (id)
  cross join lateral (select id, webhook_url from partners where id = requested.id limit 1) partner
  left join lateral (
    select array_agg(sealed_secret order by id desc) as sealed from (
      select id, sealed_secret from partner_webhook_secrets
      where partner_id = partner.id and (valid_until is null or valid_until > $2)
        and (active_from is null or active_from <= $2)
      order by id desc limit 2) usable) secret on true`,
  record({ id: text, webhook_url: textOrNull, sealed: nullable(byteas) }),
);

type EndpointRow = ReturnType<typeof ENDPOINTS.decode>;

export interface EndpointContext {
  database: Pick<Database, 'reader'>;
  vault: Vault;
  clock: Clock;
}

export function createEndpointLoader({ database, vault, clock }: EndpointContext): Load<string, WebhookTarget | null> {
  function endpointOf({ id, webhook_url, sealed }: EndpointRow): WebhookTarget {
    try {
      return { url: webhook_url, secrets: (sealed ?? []).map((secret) => vault.open(secret, id)) };
    } catch (decryptionError) {
      // Affects only this partner: the other partners of the batch are still loaded.
      return { url: webhook_url, secrets: [], decryptionError };
    }
  }

  return batchLoader({
    async fetch(ids: string[]) {
      const rows = await database.reader.run(ENDPOINTS, [textArray([...new Set(ids)]), new Date(clock.now())]);
      const found = new Map(rows.map((row) => [row.id, endpointOf(row)]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}
