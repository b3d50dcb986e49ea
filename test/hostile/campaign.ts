// Sends so many requests, some valid, some nearly, some hostile, and says what was wrong with any of the replies.
import type { Json } from '../support/gateway.ts';
import type { Document } from '../support/openapi.ts';
import { type Outcome, Wire, type WireRequest } from '../support/wire.ts';
import { attack } from './attacks.ts';
import { credentialHeaders, serviceHeaders } from './credentials.ts';
import { bodyOf, type Draft, targetLine, validDraft } from './draft.ts';
import { type Judge, judgeBy } from './judge.ts';
import { spoilOne } from './mutations.ts';
import { type Target, targetsOf } from './operations.ts';
import { type Random, random } from './random.ts';
import { castOf, sha256 } from './values.ts';
import type { World } from './world.ts';

export interface CampaignOptions {
  document: Document;
  world: World;
  seed: number;
  requests: number;
  connections: number;
  /** Called now and then with how many were sent. */
  onProgress?: (sent: number) => Promise<void>;
}

export interface Fault {
  turn: number;
  operation: string;
  /** What was done to the request. */
  what: string;
  fault: string;
  /** The head of the request, and its body as far as it can be read. */
  request: string;
  reply: string;
}

export interface Report {
  sent: number;
  faults: Fault[];
  /** How often which status, by operation. */
  statuses: Map<string, Map<number, number>>;
  slowestMs: number;
}

type Kind = 'valid' | 'nearly' | 'hostile';

/** Those that hash a password, or read all of the audit log, take a core for tens of milliseconds: asked more seldom. */
const COSTLY = /POST .*\/(login|change-password|users|agents|processors)$|audit\/verify$/;
const COSTLY_SHARE = 0.12;
const TEND_EVERY = 4_000;
const TOURS = 2;
const ENCORES = 60;
const MAX_FAULTS = 50;

export async function campaign(options: CampaignOptions): Promise<Report> {
  return new Campaign(options).run();
}

class Campaign {
  private readonly options: CampaignOptions;
  private readonly targets: Target[];
  private readonly judge: Judge;
  private readonly report: Report = { sent: 0, faults: [], statuses: new Map(), slowestMs: 0 };
  private turn = 0;

  constructor(options: CampaignOptions) {
    this.options = options;
    this.targets = targetsOf(options.document);
    this.judge = judgeBy(options.document, options.world.secrets);
  }

  async run(): Promise<Report> {
    const { world, requests, connections } = this.options;
    const wires = Array.from({ length: connections }, () => new Wire(world.host.url));
    const [first] = wires as [Wire];
    for (let tour = 0; tour < TOURS; tour++) {
      for (const target of this.targets) await this.one(first, target, 'valid');
    }
    while (this.report.sent < requests && this.report.faults.length < MAX_FAULTS) {
      const until = Math.min(requests, this.report.sent + TEND_EVERY);
      await Promise.all(wires.map((wire) => this.stretch(wire, until)));
      await world.tend();
      await this.options.onProgress?.(this.report.sent);
    }
    await world.tend();
    for (const target of this.unreached()) await this.encore(first, target);
    for (const wire of wires) wire.close();
    return this.report;
  }

  private unreached(): Target[] {
    return this.targets.filter(({ name }) => !reached(this.report, name));
  }

  /** An operation may need what others have left behind. */
  private async encore(wire: Wire, target: Target): Promise<void> {
    const parent = target.template.replace(/[^/]+$/, '');
    const siblings = this.targets.filter(({ template, method }) => template.startsWith(parent) && method !== 'GET');
    for (let n = 0; n < ENCORES && !reached(this.report, target.name); n++) {
      await this.one(wire, siblings[n % siblings.length] ?? target, 'valid');
      await this.one(wire, target, 'valid');
    }
  }

  private async stretch(wire: Wire, until: number): Promise<void> {
    while (this.report.sent < until && this.report.faults.length < MAX_FAULTS) {
      const chance = random(this.options.seed, this.turn);
      await this.one(wire, this.choose(chance), pickKind(chance));
    }
  }

  private choose(chance: Random): Target {
    const target = chance.pick(this.targets);
    return COSTLY.test(target.name) && !chance.chance(COSTLY_SHARE) ? chance.pick(this.targets) : target;
  }

  private async one(wire: Wire, target: Target, kind: Kind): Promise<void> {
    const turn = this.turn++;
    const chance = random(this.options.seed + 1, turn);
    const draft = this.draft(target, kind, chance);
    const request = this.signed(draft, chance);
    this.report.sent++;
    const begun = performance.now();
    const outcome = await wire.send(request).catch((): Outcome => 'closed');
    // What it left unsaid must not be taken for the beginning of the next.
    if (draft.brokenHttp) wire.close();
    this.report.slowestMs = Math.max(this.report.slowestMs, performance.now() - begun);
    this.note(target, draft, outcome);
    const fault = this.judge({ request, brokenHttp: draft.brokenHttp }, outcome);
    if (fault === null) return;
    const what = [kind, ...draft.what].join(', ');
    this.report.faults.push({
      turn,
      operation: target.name,
      what,
      fault,
      request: shown(request),
      reply: told(outcome),
    });
  }

  private draft(target: Target, kind: Kind, chance: Random): Draft {
    const { world } = this.options;
    const draft = validDraft({ world, target, cast: castOf(world, chance), random: chance });
    if (kind === 'valid') return draft;
    return kind === 'nearly' ? spoilOne(draft, chance) : attack(draft, chance);
  }

  private signed(draft: Draft, chance: Random): WireRequest {
    const { world } = this.options;
    const body = bodyOf(draft);
    // A service signs its body by naming its hash in the query, which is signed.
    const hashed = draft.asService && body.length > 0 && chance.chance(0.7) ? [`body_sha256=${sha256(body)}`] : [];
    const target = targetLine({ ...draft, query: [...draft.query, ...hashed] });
    const unsigned = { method: draft.method, target, body, now: world.host.now() };
    const { bearer, idempotencyKey } = draft;
    const credentials = draft.asService
      ? serviceHeaders(unsigned, world.keyring.service)
      : credentialHeaders(draft.target.scheme, unsigned, world.keyring, { random: chance, bearer, idempotencyKey });
    const headers: [string, string][] = [
      ...credentials,
      ...(draft.contentType === null ? [] : ([['content-type', draft.contentType]] as [string, string][])),
      ...draft.headers,
    ];
    const request = { method: draft.method, target: unsigned.target, headers, body };
    return draft.spoil ? draft.spoil(request) : request;
  }

  private note(target: Target, draft: Draft, outcome: Outcome): void {
    if (typeof outcome === 'string') return;
    const counts = this.report.statuses.get(target.name) ?? new Map<number, number>();
    // What was sent by another method or to another path says nothing of this one.
    const same = draft.method === target.method && !draft.what.some((what) => what.startsWith('path with'));
    if (same) counts.set(outcome.status, (counts.get(outcome.status) ?? 0) + 1);
    this.report.statuses.set(target.name, counts);
    if (!same || outcome.status >= 300 || !outcome.headers.get('content-type')?.startsWith('application/json')) return;
    const json: Json = JSON.parse(outcome.body.toString('utf8'));
    const { secrets, pools } = this.options.world;
    secrets.harvest(json);
    pools.harvest(target.name, json);
    if (json.subscriber?.status === 'PENDING') pools.put('pending', json.subscriber.id);
  }
}

/** Whether a request to the operation has succeeded. */
export function reached({ statuses }: Report, operation: string): boolean {
  return [...(statuses.get(operation)?.keys() ?? [])].some((status) => status < 300);
}

function pickKind(chance: Random): Kind {
  const share = chance.next();
  if (share < 0.3) return 'valid';
  return share < 0.7 ? 'nearly' : 'hostile';
}

function shown({ method, target, headers, body }: WireRequest): string {
  const head = [`${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
    .join('\n')
    .slice(0, 1_500);
  return `${head}\n\n${body.subarray(0, 600).toString('utf8')}`;
}

function told(outcome: Outcome): string {
  if (typeof outcome === 'string') return outcome;
  return `${outcome.status} ${outcome.body.subarray(0, 600).toString('utf8')}`;
}

export function describeFaults({ faults }: Report, seed: number): string {
  const shownFaults = faults
    .slice(0, 10)
    .map(
      ({ turn, operation, what, fault, request, reply }) =>
        `turn ${turn}, ${operation} (${what}): ${fault}\n--- request\n${request}\n--- reply\n${reply}`,
    );
  return `seed ${seed}: ${faults.length} faults\n\n${shownFaults.join('\n\n')}`;
}
