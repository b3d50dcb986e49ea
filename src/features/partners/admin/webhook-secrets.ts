// Secrets that sign outgoing webhooks: random, shown once, encrypted at rest, rotated at once or at a later time.
import { randomBytes } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Vault } from '../../../auth/vault.ts';
import type { Queries } from '../../../db/database.ts';
import { ok } from '../../../http/endpoint.ts';
import { parseInstant } from '../../../http/fields.ts';
import { type Clock, DAY_MS, iso, SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { noSuchPartner } from '../../../parties/partner.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import { auditResource } from './context.ts';
import { endSecrets, insertSecret, lockPartner } from './store.ts';

export interface SecretContext {
  audit: AuditLog;
  vault: Vault;
  clock: Clock;
}

/** The query is part of the stored request. */
interface Rotation {
  id: string;
  /** How long the old secret's signature is still sent. */
  overlap_seconds?: string;
}

export interface RotatedSecret {
  /** Shown once. */
  webhookSecret: string;
  activateAt: Date;
  previousValidUntil: Date;
}

const SECRET_BYTES = 32;
const OVERLAP_SECONDS = DAY_MS / SECOND_MS;
const MAX_DAYS = 90;
const MAX_OVERLAP_SECONDS = MAX_DAYS * OVERLAP_SECONDS;

export async function issueSecret(
  { vault, clock }: Pick<SecretContext, 'vault' | 'clock'>,
  trx: Queries,
  partnerId: string,
  activeFrom: Date | null = null,
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const sealed_secret = vault.seal(secret, partnerId);
  await insertSecret(trx, {
    partner_id: partnerId,
    sealed_secret,
    created_at: new Date(clock.now()),
    active_from: activeFrom,
    valid_until: null,
  });
  return secret;
}

export function createSecretRotation(context: SecretContext) {
  const { audit, clock } = context;

  /** `later`: null to activate the new secret now. */
  async function replace(
    trx: Queries,
    actor: Actor,
    id: string,
    { later, overlapMs }: { later: Date | null; overlapMs: number },
  ): Promise<RotatedSecret | Refusal> {
    if (!(await lockPartner(trx, id))) return noSuchPartner();
    const now = new Date(clock.now());
    const activateAt = later ?? now;
    const previousValidUntil = new Date(activateAt.getTime() + overlapMs);
    await endSecrets(trx, id, { now, end: previousValidUntil });
    const webhookSecret = await issueSecret(context, trx, id, later);
    const details = { activate_at: iso(activateAt), previous_valid_until: iso(previousValidUntil) };
    await audit.record(trx, actor, { action: 'partner.rotate_secret', ...auditResource(id), details });
    return { webhookSecret, activateAt, previousValidUntil };
  }

  function readActivation(text: string | undefined): Date | null | Refusal {
    if (text === undefined) return null;
    const at = parseInstant(text);
    if (at === null) return refuse('INVALID_REQUEST', 'activate_at must be an instant in ISO 8601.');
    const ahead = at.getTime() - clock.now();
    if (ahead >= 0 && ahead <= MAX_DAYS * DAY_MS) return at;
    return refuse('INVALID_REQUEST', `activate_at must not be in the past, and at most ${MAX_DAYS} days ahead.`);
  }

  /** Creates a secret that signs from `activate_at` on. The old one's signature is also sent until the overlap ends. */
  const rotateSecret: ChangeOperation<Rotation, { activate_at?: string }, RotatedSecret> = {
    kind: 'change',
    name: 'partners.rotate_webhook_secret',
    action: 'partners.change',
    secretResult: ['webhook_secret'],
    describe: ({ params }) => `Issue a new webhook secret for partner ${params.id}.`,
    before: async () => null,
    after: ({ activateAt }) => ({ activate_at: iso(activateAt) }),
    plan(actor, { params: { id, overlap_seconds }, body }) {
      const overlapSeconds = overlap_seconds === undefined ? OVERLAP_SECONDS : Number(overlap_seconds);
      if (overlapSeconds > MAX_OVERLAP_SECONDS) {
        return refuse('INVALID_REQUEST', `overlap_seconds must be at most ${MAX_OVERLAP_SECONDS}.`);
      }
      const later = readActivation(body.activate_at);
      if (later instanceof Refusal) return later;
      return (trx) => replace(trx, actor, id, { later, overlapMs: overlapSeconds * SECOND_MS });
    },
    reply: ({ webhookSecret, activateAt, previousValidUntil }) =>
      ok({
        success: true,
        message: 'The webhook secret was rotated. It is shown only once.',
        webhook_secret: webhookSecret,
        activate_at: iso(activateAt),
        previous_valid_until: iso(previousValidUntil),
      }),
  };
  return { rotateSecret };
}
