// Secrets that sign outgoing webhooks: random, shown once, encrypted at rest, rotated with an overlap.
import { randomBytes } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Vault } from '../../../auth/vault.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { type Clock, iso, SECOND_MS } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { noSuchPartner } from '../../../parties/partner.ts';
import { auditResource } from './context.ts';
import { endSecrets, insertSecret, lockPartner } from './store.ts';

export interface SecretContext {
  database: Database;
  audit: AuditLog;
  vault: Vault;
  clock: Clock;
  rotationOverlapSeconds: number;
}

export interface RotatedSecret {
  /** Shown once. */
  webhookSecret: string;
  previousValidUntil: Date;
}

const SECRET_BYTES = 32;
const MAX_OVERLAP_SECONDS = 90 * 86_400;

export async function issueSecret(
  { vault, clock }: Pick<SecretContext, 'vault' | 'clock'>,
  trx: Queries,
  partnerId: string,
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const sealed_secret = vault.seal(secret, partnerId);
  await insertSecret(trx, {
    partner_id: partnerId,
    sealed_secret,
    created_at: new Date(clock.now()),
    valid_until: null,
  });
  return secret;
}

export function createSecretRotation(context: SecretContext) {
  const { database, audit, clock, rotationOverlapSeconds } = context;

  async function replace(trx: Queries, actor: Actor, id: string, overlapMs: number): Promise<RotatedSecret | Refusal> {
    if (!(await lockPartner(trx, id))) return noSuchPartner();
    const now = new Date(clock.now());
    const end = new Date(clock.now() + overlapMs);
    await endSecrets(trx, id, { now, end });
    const webhookSecret = await issueSecret(context, trx, id);
    const details = { previous_valid_until: iso(end) };
    await audit.record(trx, actor, { action: 'partner.rotate_secret', ...auditResource(id), details });
    return { webhookSecret, previousValidUntil: end };
  }

  return {
    /** Creates a secret. The old one stays valid for the overlap. */
    async rotateSecret(
      actor: Actor,
      id: string,
      overlapSeconds: number = rotationOverlapSeconds,
    ): Promise<RotatedSecret | Refusal> {
      if (overlapSeconds > MAX_OVERLAP_SECONDS) {
        return refuse('INVALID_REQUEST', `overlap_seconds must be at most ${MAX_OVERLAP_SECONDS}.`);
      }
      return database.transact((trx) => replace(trx, actor, id, overlapSeconds * SECOND_MS));
    },
  };
}
