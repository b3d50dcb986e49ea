// Certification runs: starts one, follows what is observed, sends the forged webhook, and signs the report at the end.

import { randomBytes } from 'node:crypto';
import { type CertificationReport, REPORT_KIND } from '@kissi/signatures/documents';
import { sql } from 'kysely';
import { type Actor, type Author, type ChangeContext, SYSTEM } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { violatedConstraint } from '../../../db/driver/errors.ts';
import type { Page } from '../../../http/paging.ts';
import { canonicalJson } from '../../../kernel/canonical-json.ts';
import { type Clock, DAY_MS, iso } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { WebhookTarget } from '../../../webhooks/attempt.ts';
import type { Transport } from '../../../webhooks/transport.ts';
import type { Closes } from '../../finance/closes/service.ts';
import { observationsOf } from './observations.ts';
import { type DecidedStep, type EvaluatedStep, evaluate, evaluateAtEnd } from './steps.ts';
import * as store from './store.ts';

export interface CertificationsContext extends ChangeContext {
  closes: Pick<Closes, 'sign'>;
  endpointOf(partnerId: string): Promise<WebhookTarget | null>;
  transport: Pick<Transport, 'post'>;
  operatorName: string;
  environment: string;
  version: string;
}

export interface Certification {
  row: store.CertificationRow;
  steps: EvaluatedStep[];
}

/** A run that was not finished by then is finished with what it has. */
export const RUN_MS = DAY_MS;
const RESOURCE = 'certification';

export type Certifications = ReturnType<typeof createCertifications>;

export function createCertifications(context: CertificationsContext) {
  const { database, audit, clock } = context;

  async function withSteps(row: store.CertificationRow): Promise<Certification> {
    const observations = await observationsOf(database.queries, row.id);
    const { finished_at } = row;
    const steps = finished_at
      ? evaluateAtEnd(observations, finished_at.getTime())
      : evaluate(observations, clock.now());
    return { row, steps };
  }

  async function start(actor: Actor, partnerId: string, keyId: string): Promise<Certification | Refusal> {
    const [partner, key] = await Promise.all([
      store.partnerOf(database.queries, partnerId),
      store.keyOf(database.queries, keyId),
    ]);
    if (!partner) return refuse('NOT_FOUND', 'There is no such partner.');
    if (key?.partner_id !== partnerId)
      return refuse('INVALID_REQUEST', 'key_id must be a valid API key of the partner.');
    if (partner.webhook_url === null) return refuse('INVALID_REQUEST', 'The partner needs a webhook_url.');
    const row = newRow(actor, partnerId, keyId);
    try {
      await database.transact(async (trx) => {
        await store.insertCertification(trx, row);
        const details = { partner_id: partnerId, key_id: keyId };
        await audit.record(trx, actor, { action: 'lab.certify', resourceType: RESOURCE, resourceId: row.id, details });
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'lab_certifications_running') throw error;
      return refuse('CERTIFICATION_RUNNING', 'A certification run of this partner is in progress. Finish it first.');
    }
    return withSteps(row);
  }

  function newRow({ caller }: Actor, partnerId: string, keyId: string): store.CertificationRow {
    return {
      id: newId('cert', clock),
      partner_id: partnerId,
      key_id: keyId,
      started_by: String(caller.id),
      started_at: new Date(clock.now()),
      ...{ forged_at: null, finished_at: null, result: null, document: null, signature: null, signing_key_id: null },
    };
  }

  /** Sends the forged webhook when it is its turn, and finishes a run whose steps are decided or whose time is over. */
  async function advance(id: string): Promise<void> {
    const row = await store.certificationById(database.queries, id);
    if (!row || row.finished_at !== null) return;
    const { steps } = await withSteps(row);
    const isAcknowledged = steps.some(({ id: step, state }) => step === 'webhook_acknowledged' && state === 'passed');
    if (isAcknowledged && row.forged_at === null) await forgeWebhook(row);
    const isDecided = steps.every(({ state }) => state !== 'waiting');
    const isOver = clock.now() >= row.started_at.getTime() + RUN_MS;
    if (isDecided || isOver) await database.transact((trx) => finish(trx, SYSTEM, id));
  }

  async function forgeWebhook({ id, partner_id }: store.CertificationRow): Promise<void> {
    const isOurs = await database.transact(async (trx) => {
      const locked = await store.lockRunning(trx, id);
      if (!locked || locked.forged_at !== null) return false;
      await store.changeCertification(trx, id, { forged_at: new Date(clock.now()) });
      return true;
    });
    if (!isOurs) return;
    const endpoint = await context.endpointOf(partner_id);
    const url = URL.parse(endpoint?.url ?? '');
    const { status, error } = url
      ? await context.transport.post({ url, ...forgedWebhook(clock) })
      : { status: null, error: 'The partner has no webhook_url.' };
    await sql`insert into lab_observations (certification_id, at, kind, details) values
      (${id}, ${new Date(clock.now())}, 'forged_webhook', ${JSON.stringify({ status, error })}::jsonb)`.execute(
      database.queries,
    );
  }

  /** Passed if all steps are. Null: it was finished before. */
  async function finish(trx: DatabaseTransaction, author: Author, id: string): Promise<store.CertificationRow | null> {
    const row = await store.lockRunning(trx, id);
    const partner = row && (await store.partnerOf(trx, row.partner_id));
    if (!row || !partner) return null;
    const now = clock.now();
    const report = reportOf(row, partner, evaluateAtEnd(await observationsOf(trx, id), now), now);
    // The bytes that are signed (RFC 8785).
    const document = canonicalJson(report);
    const { signature, keyId, newKeys } = await context.closes.sign(trx, document);
    const { result } = report;
    const signed = { finished_at: new Date(now), result, document, signature, signing_key_id: keyId };
    const finished = await store.changeCertification(trx, id, signed);
    await audit.record(trx, author, {
      action: 'lab.certification_finish',
      resourceType: RESOURCE,
      resourceId: id,
      details: { partner_id: row.partner_id, result, signing_key_id: keyId },
      ...(newKeys.length > 0 ? { also: newKeys } : {}),
    });
    return finished;
  }

  function reportOf(
    { id, key_id, started_at }: store.CertificationRow,
    { id: partnerId, name }: { id: string; name: string },
    steps: DecidedStep[],
    now: number,
  ): CertificationReport {
    const { operatorName: operator, environment, version: service_version } = context;
    return {
      ...{ kind: REPORT_KIND, version: 1, id, operator, environment, service_version },
      partner: { id: partnerId, name },
      key_id,
      started_at: iso(started_at),
      finished_at: iso(now),
      result: steps.every(({ state }) => state === 'passed') ? 'passed' : 'failed',
      steps: steps.map(({ id: step, title, state, reason }) => ({ id: step, title, state, reason })),
    };
  }

  return {
    start,
    async get(id: string): Promise<Certification | Refusal> {
      const row = await store.certificationById(database.queries, id);
      return row ? withSteps(row) : notFound();
    },
    async list(partnerId: string | undefined, page: Page): Promise<{ rows: store.CertificationRow[]; total: number }> {
      return store.listCertifications(database.queries, partnerId, page);
    },
    /** Ends the run now. Finishing a finished run changes nothing. */
    async finish(actor: Actor, id: string): Promise<Certification | Refusal> {
      await database.transact((trx) => finish(trx, actor, id));
      const row = await store.certificationById(database.queries, id);
      return row ? withSteps(row) : notFound();
    },
    async advanceAll(): Promise<void> {
      for (const id of await store.runningIds(database.queries)) await advance(id);
    },
  };
}

function notFound(): Refusal {
  return refuse('NOT_FOUND', 'There is no such certification.');
}

/** Plausible in all but its signature. */
function forgedWebhook(clock: Clock) {
  const body = {
    ...{ event: 'credit.completed', reference: 'LAB-FORGED', inbound_id: newId('inb', clock), status: 'COMPLETED' },
    ...{ operation: 'credit', amount: 100_000, fee: 0, currency: 'SLE', subscriber_id: newId('sub', clock) },
    ...{ transaction_id: newId('txn', clock), occurred_at: iso(clock.now()) },
  };
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Kissi',
    'X-Hook-Event': 'credit.completed',
    'X-Hook-Event-Id': newId('evt', clock),
    'X-Hook-Timestamp': iso(clock.now()),
    'X-Hook-Signature': randomBytes(32).toString('hex'),
  };
  return { headers, body: Buffer.from(JSON.stringify(body)) };
}
