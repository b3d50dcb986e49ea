// Sends valid, nearly valid and hostile requests to all operations of the API and reports every faulty reply.

import { type Random, seededRandom } from '@kissi/testkit/random';
import type { Json } from '../support/gateway.ts';
import type { Document } from '../support/openapi.ts';
import { type Outcome, Wire, type WireRequest } from '../support/wire.ts';
import type { Draft } from './draft.ts';
import { type Target, targetsOf } from './operations.ts';
import { foreignText, ownedKeyOf, withOwnedKey } from './owned-keys.ts';
import { type ReplyChecker, replyChecker } from './reply-checks.ts';
import { draftOf, type Kind, pickKind, signedRequest } from './requests.ts';
import type { Fixtures } from './world.ts';

export interface CampaignOptions {
  document: Document;
  fixtures: Fixtures;
  seed: number;
  requests: number;
  connections: number;
  /** Rare statuses: random requests continue, up to twice the number, until each has occurred. */
  statuses?: readonly number[];
  /** Called periodically with the number of requests sent. */
  onProgress?: (sent: number) => Promise<void>;
}

export interface Fault {
  /** The number of the request; with the seed, it determines the random choices. */
  turn: number;
  operation: string;
  /** The changes to the request. */
  changes: string;
  fault: string;
  /** The head of the request and the beginning of its body. */
  request: string;
  reply: string;
}

export interface Report {
  sent: number;
  faults: Fault[];
  /** The count of each status, by operation. */
  statuses: Map<string, Map<number, number>>;
  slowestMs: number;
}

/** Sent less often: hashing a password or reading the whole audit log takes tens of milliseconds of CPU time. */
const COSTLY =
  /POST .*\/(login|console\/session|change-password|reset-password|users|agents|processors)$|audit\/verify$/;
const COSTLY_SHARE = 0.12;
const OWNED_KEY_SHARE = 0.15;
const REQUESTS_PER_ROUND = 4_000;
const VALID_ROUNDS = 2;
const MAX_RETRIES = 60;
const MAX_FAULTS = 50;

export async function runCampaign(options: CampaignOptions): Promise<Report> {
  return new Campaign(options).run();
}

class Campaign {
  private readonly options: CampaignOptions;
  private readonly targets: Target[];
  private readonly checkReply: ReplyChecker;
  private readonly report: Report = { sent: 0, faults: [], statuses: new Map(), slowestMs: 0 };
  private turn = 0;

  constructor(options: CampaignOptions) {
    this.options = options;
    this.targets = targetsOf(options.document);
    this.checkReply = replyChecker(options.document, options.fixtures.secrets);
  }

  async run(): Promise<Report> {
    const { fixtures, requests, connections, statuses = [] } = this.options;
    const wires = Array.from({ length: connections }, () => new Wire(fixtures.host.url));
    const [first] = wires as [Wire];
    for (let round = 0; round < VALID_ROUNDS; round++) {
      for (const target of this.targets) await this.sendOne(first, target, 'valid');
    }
    while (this.report.sent < requests && this.report.faults.length < MAX_FAULTS) {
      const until = Math.min(requests, this.report.sent + REQUESTS_PER_ROUND);
      await Promise.all(wires.map((wire) => this.sendUntil(wire, until)));
      await fixtures.maintain();
      await this.options.onProgress?.(this.report.sent);
    }
    const isMissing = (status: number) => ![...this.report.statuses.values()].some((counts) => counts.has(status));
    while (statuses.some(isMissing) && this.report.sent < 2 * requests) {
      await this.sendUntil(first, this.report.sent + 1);
    }
    await fixtures.maintain();
    for (const target of this.neverSucceeded()) await this.retryUntilSuccess(first, target);
    await this.payWithOwnedKeys(first);
    for (const wire of wires) wire.close();
    return this.report;
  }

  /** There are so many operations that the random requests need not contain a valid payment by such a key. */
  private async payWithOwnedKeys(wire: Wire): Promise<void> {
    const { fixtures } = this.options;
    const payment = this.targets.find(({ name }) => name === 'POST /api/v1/pos/payment');
    const key = fixtures.ownedKeys.find(({ owner }) => owner === 'processor');
    if (!payment || !key) return;
    const merchants = fixtures.merchants.filter(({ id }) => id === key.ownerId);
    const own = { ...withOwnedKey(fixtures, key), merchants };
    for (let n = 0; n < MAX_RETRIES; n++) await this.sendOne(wire, payment, 'valid', own);
  }

  private neverSucceeded(): Target[] {
    return this.targets.filter(({ name }) => !hasSucceeded(this.report, name));
  }

  /** Alternates with sibling operations, because an operation may need records that they create. */
  private async retryUntilSuccess(wire: Wire, target: Target): Promise<void> {
    const parent = target.template.replace(/[^/]+$/, '');
    const siblings = this.targets.filter(
      ({ template, method }) =>
        (template.startsWith(parent) || target.template.startsWith(template)) && method !== 'GET',
    );
    for (let n = 0; n < MAX_RETRIES && !hasSucceeded(this.report, target.name); n++) {
      await this.sendOne(wire, siblings[n % siblings.length] ?? target, 'valid');
      await this.sendOne(wire, target, 'valid');
    }
  }

  private async sendUntil(wire: Wire, until: number): Promise<void> {
    while (this.report.sent < until && this.report.faults.length < MAX_FAULTS) {
      const source = seededRandom(`${this.options.seed} ${this.turn}`);
      await this.sendOne(wire, this.pickTarget(source), pickKind(source));
    }
  }

  private pickTarget(source: Random): Target {
    const target = source.pick(this.targets);
    return COSTLY.test(target.name) && !source.chance(COSTLY_SHARE) ? source.pick(this.targets) : target;
  }

  private async sendOne(wire: Wire, target: Target, kind: Kind, own?: Fixtures): Promise<void> {
    const turn = this.turn++;
    const source = seededRandom(`${this.options.seed} again ${turn}`);
    const fixtures = own ?? this.fixturesFor(source);
    const draft = draftOf(target, kind, fixtures, source);
    const request = signedRequest(draft, fixtures, source);
    this.report.sent++;
    const startedAt = performance.now();
    const outcome = await wire.send(request).catch((): Outcome => 'closed');
    // Unread bytes of a broken request must not become the start of the next one.
    if (draft.brokenHttp) wire.close();
    this.report.slowestMs = Math.max(this.report.slowestMs, performance.now() - startedAt);
    this.record(target, draft, outcome);
    const fault = this.checkReply({ request, brokenHttp: draft.brokenHttp }, outcome) ?? this.leak(request, outcome);
    if (fault === null) return;
    const changes = [kind, ...draft.changes].join(', ');
    this.report.faults.push({
      turn,
      operation: target.name,
      changes,
      fault,
      request: describeRequest(request),
      reply: describeOutcome(outcome),
    });
  }

  /** Some requests are made with the key of a partner or processor. */
  private fixturesFor(source: Random): Fixtures {
    const { fixtures } = this.options;
    return source.chance(OWNED_KEY_SHARE) ? withOwnedKey(fixtures, source.pick(fixtures.ownedKeys)) : fixtures;
  }

  private leak(request: WireRequest, outcome: Outcome): string | null {
    return ownedKeyOf(request, this.options.fixtures.ownedKeys) ? foreignText(request, outcome) : null;
  }

  private record(target: Target, draft: Draft, outcome: Outcome): void {
    if (typeof outcome === 'string') return;
    const counts = this.report.statuses.get(target.name) ?? new Map<number, number>();
    // A request with another method or path does not count for this operation.
    const isSameOperation =
      draft.method === target.method && !draft.changes.some((change) => change.startsWith('path with'));
    if (isSameOperation) counts.set(outcome.status, (counts.get(outcome.status) ?? 0) + 1);
    this.report.statuses.set(target.name, counts);
    const isJson = outcome.headers.get('content-type')?.startsWith('application/json');
    if (!isSameOperation || outcome.status >= 300 || !isJson) return;
    const json: Json = JSON.parse(outcome.body.toString('utf8'));
    const { secrets, pools } = this.options.fixtures;
    secrets.collect(json);
    pools.collect(target.name, json);
    if (json.subscriber?.status === 'PENDING') pools.put('pending', json.subscriber.id);
  }
}

/** Returns whether a request to the operation has succeeded. */
export function hasSucceeded({ statuses }: Report, operation: string): boolean {
  return [...(statuses.get(operation)?.keys() ?? [])].some((status) => status < 300);
}

function describeRequest({ method, target, headers, body }: WireRequest): string {
  const head = [`${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
    .join('\n')
    .slice(0, 1_500);
  return `${head}\n\n${body.subarray(0, 600).toString('utf8')}`;
}

function describeOutcome(outcome: Outcome): string {
  if (typeof outcome === 'string') return outcome;
  return `${outcome.status} ${outcome.body.subarray(0, 600).toString('utf8')}`;
}

export function describeFaults({ faults }: Report, seed: number): string {
  const shownFaults = faults
    .slice(0, 10)
    .map(
      ({ turn, operation, changes, fault, request, reply }) =>
        `turn ${turn}, ${operation} (${changes}): ${fault}\n--- request\n${request}\n--- reply\n${reply}`,
    );
  return `seed ${seed}: ${faults.length} faults\n\n${shownFaults.join('\n\n')}`;
}
