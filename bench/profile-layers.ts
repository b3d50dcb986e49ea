// Assigns the samples of a V8 CPU profile to the layers of a payment.

/** A .cpuprofile file, as `node --cpu-prof` writes it. Times are microseconds of the monotonic clock. */
export interface Profile {
  nodes: readonly ProfileNode[];
  startTime: number;
  /** The node of each sample. */
  samples: readonly number[];
  /** The time between a sample and the one before. */
  timeDeltas: readonly number[];
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: readonly number[];
}

const NATIVE = 'kernel, native code and event loop';
const OTHER = 'other';

/** The first that matches decides. Native functions count to the layer of their caller. */
const LAYERS: readonly (readonly [string, RegExp])[] = [
  ['fast lane', /src\/http\/(fast-lane|served-request|route-steps)/],
  ['request log and metrics', /src\/http\/(log|request-recorder)|src\/kernel\/(metrics|log)|\/pino|sonic-boom/],
  [
    'authentication, rate limit, admission',
    /src\/auth\/(?!pins)|src\/http\/(access|rate-limit|counting|shared-limits|overload|client-address)/,
  ],
  [
    'body, JSON, validation',
    /src\/http\/(valid|body|fields|envelope|schema|unknown)|src\/kernel\/(json|schema)|\/ajv|validate|stringify|secure-json/,
  ],
  [
    'node:http, Fastify',
    /src\/http\/|node:_?http|node:internal\/(http|url|abort)|fastify|find-my-way|avvio|light-my-request/,
  ],
  ['hashes, PIN', /src\/auth\/pins|node:internal\/crypto|node:crypto/],
  ['ledger', /src\/ledger\//],
  ['PostgreSQL protocol and look-ups', /src\/db\/|node_modules\/pg|node_modules\/(kysely|postgres)/],
  ['plan, price, ids', /src\/(payments|features|parties|kernel|audit|webhooks|app)\//],
  [
    'sockets and streams',
    /node:(net|stream|internal\/(stream|streams|net|js_stream))|node:(internal\/)?(buffer|string_decoder|events)/,
  ],
  [
    'promises, ticks, timers',
    /node:(internal\/(process|timers|promises|async_hooks|async_context)|timers|async_hooks|diagnostics)/,
  ],
];

/** V8's own names. A map, because a function can be named like a property of every object: toString. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', NATIVE],
  ['(root)', NATIVE],
]);
const IDLE = '(idle)';

export interface ProfiledTime {
  layer: string;
  name: string;
  /** Microseconds of all samples. */
  time: number;
}

/** The time of each function and its layer, between two moments of the monotonic clock. The idle time is left out. */
export function profiledTimes(profile: Profile, from: number, to: number): ProfiledTime[] {
  const times = new Map<number, number>();
  let now = profile.startTime;
  profile.samples.forEach((node, index) => {
    const delta = profile.timeDeltas[index] ?? 0;
    now += delta;
    if (now >= from && now < to) times.set(node, (times.get(node) ?? 0) + delta);
  });
  const layers = layerOfNodes(profile.nodes);
  return profile.nodes
    .filter(({ id, callFrame }) => times.has(id) && callFrame.functionName !== IDLE)
    .map(({ id, callFrame: { functionName, url, lineNumber } }) => ({
      layer: layers.get(id) ?? OTHER,
      name: `${functionName || '(anonymous)'} ${shortUrl(url)}${url ? `:${lineNumber + 1}` : ''}`.trim(),
      time: times.get(id) ?? 0,
    }));
}

const shortUrl = (url: string) =>
  url.replace(/^.*?(?=(node_modules|src|node:|packages)\b)/, '').replace(/^node_modules\//, '');

function layerOfNodes(nodes: readonly ProfileNode[]): Map<number, string> {
  const layers = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = ({ id, callFrame, children = [] }: ProfileNode, callers: string) => {
    const layer = SPECIAL.get(callFrame.functionName) ?? layerOfUrl(callFrame.url) ?? callers;
    layers.set(id, layer);
    for (const child of children) visit(byId.get(child) as ProfileNode, layer);
  };
  if (nodes[0]) visit(nodes[0], NATIVE);
  return layers;
}

function layerOfUrl(url: string): string | undefined {
  return LAYERS.find(([, pattern]) => pattern.test(url))?.[0];
}

/**
 * The same times, so that they add up to `total`. Samples also count the time in which the thread waited for a processor,
 * and not that of V8's helper threads; only the shares are right.
 */
export function scaleTimes(times: readonly ProfiledTime[], total: number): ProfiledTime[] {
  const sum = times.reduce((all, { time }) => all + time, 0);
  return times.map((each) => ({ ...each, time: (each.time * total) / sum }));
}

/** The sums by a key, largest first. */
export function sumBy(times: readonly ProfiledTime[], read: (each: ProfiledTime) => string): [string, number][] {
  const sums = new Map<string, number>();
  for (const each of times) sums.set(read(each), (sums.get(read(each)) ?? 0) + each.time);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}
