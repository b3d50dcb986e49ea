// Wraps the endpoints that API keys pay with: what an amount of the lab does to the request, and what a run observes of it.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Call, Endpoint, Reply, RouteGroup } from '../../http/endpoint.ts';
import { isPaymentRoute } from '../../http/payment-endpoint.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Observations } from './certification/observations.ts';
import { EXPIRES_AFTER_SECONDS, LATE_SECONDS, magicAmount, RETRY_AFTER_SECONDS } from './effects.ts';

export interface RequestEffectsContext {
  /** True for the key's first request under this id. */
  isFirst(keyId: string, request: string): Promise<boolean>;
  observations: Pick<Observations, 'request' | 'enquiry'>;
  clock: Clock;
  /** Default: LATE_SECONDS. */
  lateMs?: number | undefined;
}

/** Names the effect in the reply, so that nobody looks for a fault where the lab acts. */
const EFFECT_HEADER = 'x-lab-effect';
const ENQUIRY = 'getCredit';
const REQUEST_TO_PAY = 'createPaymentRequest';

export function withRequestEffects(groups: RouteGroup[], context: RequestEffectsContext): RouteGroup[] {
  return groups.map((group) => ({ ...group, endpoints: group.endpoints.map((each) => wrapped(each, context)) }));
}

function wrapped(endpoint: Endpoint, context: RequestEffectsContext): Endpoint {
  if (endpoint.id === ENQUIRY) return { ...endpoint, handle: (call) => observedEnquiry(endpoint, call, context) };
  if (!isPaymentRoute(endpoint) || endpoint.method !== 'POST') return endpoint;
  const acting = endpoint.id === REQUEST_TO_PAY ? withShortExpiry(endpoint) : endpoint;
  return { ...endpoint, handle: (call) => handleWithEffect(acting, call, context) };
}

/** The expiry is the service's own: only the request asks for an early one. */
function withShortExpiry(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    handle(call) {
      const body = call.body as { amount?: unknown };
      const expires = call.caller.kind === 'key' && magicAmount(body.amount)?.effect === 'expires';
      return endpoint.handle(expires ? { ...call, body: { ...body, expires_in: EXPIRES_AFTER_SECONDS } } : call);
    },
  };
}

async function observedEnquiry(endpoint: Endpoint, call: Call, { observations }: RequestEffectsContext) {
  const outcome = await endpoint.handle(call);
  const { reference } = call.params as { reference: string };
  if (call.caller.kind === 'key') await observations.enquiry(call.caller.id, reference);
  return outcome;
}

async function handleWithEffect(
  endpoint: Endpoint,
  call: Call,
  context: RequestEffectsContext,
): Promise<Reply | Refusal> {
  const { caller } = call;
  const amount = (call.body as { amount?: unknown }).amount;
  const magic = magicAmount(amount);
  if (caller.kind !== 'key' || !magic) return endpoint.handle(call);
  const request = requestOf(call);
  const observe = (outcome: string) =>
    context.observations.request(caller.id, { reference: request, amount: magic.amount, outcome });
  if (magic.effect === 'unavailable' && (await context.isFirst(caller.id, request))) {
    await observe('unavailable');
    return unavailable();
  }
  const outcome = await endpoint.handle(call);
  const replayed = !(outcome instanceof Refusal) && outcome.headers?.['idempotent-replayed'] === 'true';
  if (outcome instanceof Refusal || replayed || outcome.refusedWith) {
    await observe(outcome instanceof Refusal ? outcome.code : replayed ? 'replayed' : (outcome.refusedWith ?? ''));
    return outcome;
  }
  await observe(magic.effect);
  if (magic.effect === 'cut') return { ...outcome, cutsConnection: true };
  if (magic.effect !== 'late') return outcome;
  await delay(context.lateMs ?? LATE_SECONDS * SECOND_MS);
  return { ...outcome, headers: { ...outcome.headers, [EFFECT_HEADER]: magic.effect } };
}

function unavailable(): Refusal {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS), [EFFECT_HEADER]: 'unavailable' };
  return refuse('SERVICE_UNAVAILABLE', 'The lab refuses the first request with this amount; nothing was done.', {
    headers,
  });
}

/** The id that makes a retry safe. A request without one is known by its body. */
function requestOf({ body, clientRequestId, rawBody }: Call): string {
  const { reference, request_id } = body as { reference?: string; request_id?: string };
  return reference ?? request_id ?? clientRequestId ?? createHash('sha256').update(rawBody).digest('hex');
}
