// The lab: effects of certain amounts on the real code path, and certification runs. Absent in production and by default.
import type { Actor } from '../../audit/log.ts';
import type { NonceStore } from '../../auth/signatures/nonces.ts';
import type { Database } from '../../db/database.ts';
import type { RouteGroup } from '../../http/endpoint.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import type { AppEnv } from '../../kernel/config/config.ts';
import type { Payments } from '../../payments/execute.ts';
import type { MakeAttempt } from '../../webhooks/attempt.ts';
import { createObservations, type Observations } from './certification/observations.ts';
import { type Certifications, type CertificationsContext, createCertifications } from './certification/service.ts';
import { createPayers, type PayersContext } from './payers.ts';
import { withRefusedAmounts } from './payments.ts';
import { createLabPhone, type LabPhone, type PhoneContext } from './phone.ts';
import { withRequestEffects } from './requests.ts';
import { createReversals, type ReversalsContext } from './reversals.ts';
import { isFirst, moveBehind, pruneRequests } from './store.ts';
import { type LabSubscribersContext, registerSubscribers } from './subscribers.ts';
import { withWebhookEffects } from './webhooks.ts';

/** Where the lab takes part. Each function returns what it was given, with the effects added. */
export interface LabSeams {
  observations: Observations;
  payments(payments: Payments): Payments;
  deliveries(attempt: MakeAttempt): MakeAttempt;
  nonces(nonces: NonceStore): NonceStore;
  routes(groups: RouteGroup[]): RouteGroup[];
}

export interface LabSeamsDependencies {
  appEnv: AppEnv;
  database: Database;
  clock: Clock;
  /** How long a late reply takes; the table has the default. */
  lateMs?: number | undefined;
}

/** Throws in production, whatever the configuration says. */
export function createLabSeams({ appEnv, database, clock, lateMs }: LabSeamsDependencies): LabSeams {
  if (appEnv === 'production') throw new Error('the lab cannot run in production');
  const { queries } = database;
  const observations = createObservations(queries, clock);
  return {
    observations,
    payments: withRefusedAmounts,
    deliveries: (attempt) =>
      withWebhookEffects(attempt, { observations, clock, moveBehind: (id) => moveBehind(queries, id) }),
    nonces: (nonces) => ({
      ...nonces,
      async consume(keyId, nonce, expiresAt) {
        const isNew = await nonces.consume(keyId, nonce, expiresAt);
        if (!isNew) await observations.nonceReused(keyId);
        return isNew;
      },
    }),
    routes: (groups) =>
      withRequestEffects(groups, {
        isFirst: (keyId, request) => isFirst(queries, keyId, request, new Date(clock.now())),
        ...{ observations, clock, lateMs },
      }),
  };
}

export interface Lab {
  certifications: Certifications;
  phone: LabPhone;
  /** Registers the subscribers of the table. Called at the start of the service. */
  prepare(): Promise<void>;
  /** Reverses the credits and answers the payment requests that are due, and continues certification runs. */
  run(): Promise<void>;
  prune(): Promise<void>;
}

export type LabDependencies = CertificationsContext &
  LabSubscribersContext &
  Omit<ReversalsContext, 'queries' | 'observations'> &
  Omit<PayersContext, 'queries'> &
  PhoneContext & { seams: LabSeams };

/** The lab acts as a service of the operator. */
const ACTOR: Actor = { caller: { kind: 'service', id: 'lab' }, ip: '127.0.0.1', requestId: 'lab' };

export function createLab({ seams, ...dependencies }: LabDependencies): Lab {
  const { queries } = dependencies.database;
  const certifications = createCertifications(dependencies);
  const reverseDue = createReversals({ ...dependencies, queries, observations: seams.observations });
  const answerDue = createPayers({ ...dependencies, queries });
  return {
    certifications,
    phone: createLabPhone(dependencies),
    prepare: () => registerSubscribers(dependencies, ACTOR),
    async run() {
      await reverseDue(ACTOR);
      await answerDue(ACTOR);
      await certifications.advanceAll();
    },
    prune: () => pruneRequests(queries, new Date(dependencies.clock.now() - DAY_MS)),
  };
}
