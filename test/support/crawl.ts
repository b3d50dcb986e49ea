// Calls every GET route of the gateway with every filter, as JSON, CSV and PDF, and returns each reply's text.
import { inflateSync } from 'node:zlib';
import type { Endpoint } from '../../src/http/endpoint.ts';
import type { Json, TestGateway } from './gateway.ts';

export interface Visit {
  route: string;
  /** With the query and the media type. */
  target: string;
  status: number;
  /** For a PDF, what it shows. */
  text: string;
}

export interface CrawlValues {
  /** Values of path parameters, by route and name or by name. Other parameters have the ids of the list above them. */
  params: Record<string, readonly string[]>;
  /** Sent with every filter that takes them. */
  filters: readonly string[];
}

export interface CrawlRequest {
  route: string;
  target: string;
  accept: string;
  /** The list or record itself, without a filter. */
  isPlain: boolean;
}

const CONCURRENT = 6;
const CSV = 'text/csv';
const JSON_TYPE = 'application/json';
/** From a list, for the routes of its records. */
const MAX_IDS = 8;

/** The GET routes that bearer tokens may call. */
export function bearerReads(kissi: TestGateway): { route: string; endpoint: Endpoint }[] {
  return kissi.gateway.routeGroups
    .filter(({ authentication }) => authentication.name.startsWith('bearer'))
    .flatMap(({ prefix, endpoints }) => endpoints.map((endpoint) => ({ route: prefix + endpoint.path, endpoint })))
    .filter(({ endpoint }) => endpoint.method === 'GET');
}

/** One request per route, record, filter and value; `token` sees the lists that name the records. */
export async function requestsOf(kissi: TestGateway, values: CrawlValues, token: string): Promise<CrawlRequest[]> {
  const all = await Promise.all(
    bearerReads(kissi).map(async ({ route, endpoint }) => {
      const paths = await pathsOf(kissi, route, values.params, token);
      const [plain = '', ...filtered] = queriesOf(endpoint, values.filters);
      return paths.flatMap((path) => [
        { route, target: path + plain, accept: JSON_TYPE, isPlain: true },
        ...(endpoint.query ? [{ route, target: path + plain, accept: CSV, isPlain: true }] : []),
        // Without a filter, a route with required parameters has no reply.
        ...filtered.map((query) => ({
          route,
          target: path + query,
          accept: JSON_TYPE,
          isPlain: isNeeded(route, plain, query),
        })),
      ]);
    }),
  );
  return all.flat();
}

/** Staff have no request ids and no keys of their own: they name the party or the key. Sums need an account. */
const isNeeded = (route: string, plain: string, query: string) =>
  plain !== '' || /^\?(party|key)_id=/.test(query) || (route.endsWith('/sums') && query.startsWith('?subscriber_id='));

async function pathsOf(
  kissi: TestGateway,
  route: string,
  params: CrawlValues['params'],
  token: string,
): Promise<string[]> {
  let paths = [''];
  for (const segment of route.split('/').slice(1)) {
    const name = /^:(\w+)/.exec(segment)?.[1];
    const next = paths.map(async (path) => {
      if (name === undefined) return [`${path}/${segment}`];
      const values = params[`${route} ${name}`] ?? params[name] ?? (await idsIn(kissi, path, token));
      return values.map((value) => `${path}/${segment.replace(`:${name}`, encodeURIComponent(value))}`);
    });
    paths = (await Promise.all(next)).flat();
  }
  return paths;
}

async function idsIn(kissi: TestGateway, path: string, token: string): Promise<string[]> {
  const { json } = await kissi.call('GET', path, { token });
  const records = Object.values(json ?? {}).find(Array.isArray) ?? [];
  return records.slice(0, MAX_IDS).flatMap((record: Json) => {
    const id =
      record.id ?? record.transaction_id ?? record.inbound_id ?? record.serial ?? record.close?.date ?? record.date;
    return id === undefined ? [] : [String(id)];
  });
}

interface Parameter {
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
}

/** One query per filter and value: combinations only narrow the same list. */
function queriesOf({ query }: Endpoint, filters: readonly string[]): string[] {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, Parameter>;
    required?: string[];
  };
  const named = Object.entries(properties).filter(([name]) => name !== 'offset' && name !== 'cursor');
  const first = ([name, parameter]: [string, Parameter]) =>
    [name, valuesOf(name, parameter, filters)[0] ?? ''] as const;
  const fixed = Object.fromEntries(named.filter(([name]) => required.includes(name)).map(first));
  const each = named.flatMap(([name, parameter]) =>
    valuesOf(name, parameter, filters).map((value) => queryText({ ...fixed, [name]: value })),
  );
  return [queryText(fixed), ...each];
}

function queryText(query: Record<string, string>): string {
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`;
}

function valuesOf(name: string, parameter: Parameter, filters: readonly string[]): string[] {
  if (name === 'limit') return ['1', '100'];
  if (parameter.enum) return parameter.enum.map(String);
  if (parameter.const !== undefined) return [String(parameter.const)];
  const { pattern } = parameter;
  const isForId = name.endsWith('_id') && !/^(?:request|resource)_/.test(name);
  const fits = isForId ? filters.filter((value) => /^[a-z]+_/.test(value)) : filters;
  return fits.filter((value) => pattern === undefined || new RegExp(pattern, 'u').test(value));
}

export async function visitAll(
  kissi: TestGateway,
  requests: readonly CrawlRequest[],
  headers: Record<string, string>,
): Promise<Visit[]> {
  const visits: Visit[] = [];
  async function work(waiting: CrawlRequest[]): Promise<void> {
    for (let request = waiting.pop(); request; request = waiting.pop()) {
      const { route, target, accept } = request;
      const reply = await fetch(kissi.url + target, { headers: { ...headers, accept } });
      const bytes = Buffer.from(await reply.arrayBuffer());
      const isPdf = reply.headers.get('content-type')?.includes('pdf') ?? false;
      const text = isPdf ? pdfText(bytes) : bytes.toString();
      visits.push({ route, target: `${target} as ${accept}`, status: reply.status, text });
    }
  }
  // A caller may run only two exports at a time.
  const files = requests.filter(({ accept }) => accept === CSV);
  const pages = requests.filter(({ accept }) => accept !== CSV);
  await Promise.all([work(files), ...Array.from({ length: CONCURRENT }, () => work(pages))]);
  return visits;
}

/** The text of the pages in one line: hex strings in brackets, possibly split by kerning. */
export function pdfText(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)];
  const drawn = streams.map(([, deflated = '']) => inflateSync(Buffer.from(deflated, 'latin1')).toString('latin1'));
  return [...drawn.join('\n').matchAll(/\[(.*?)\] TJ/g)]
    .map(([, line = '']) => [...line.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => hex).join(''))
    .map((hex) => Buffer.from(hex, 'hex').toString('latin1'))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}
