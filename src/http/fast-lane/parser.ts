// Node's own HTTP parser, driven directly. The only file that knows this internal of Node.js.

export interface RequestHead {
  method: string;
  url: string;
  isHttp11: boolean;
  /** Names and values in turn, as sent. */
  rawHeaders: readonly string[];
}

export interface ParsedRequest {
  head: RequestHead;
  /** False: the rest of the body has not arrived. */
  isComplete: boolean;
}

/**
 * Reads the bytes of one request, from its first to its last. Null: they are not valid HTTP, hold more than one request,
 * ask for an upgrade or the end of the connection, or have more headers than the parser passes on at once.
 */
export type ParseRequest = (bytes: Buffer) => ParsedRequest | 'incomplete' | null;

type HeadersComplete = (
  major: number,
  minor: number,
  rawHeaders: string[] | undefined,
  method: number,
  url: string | undefined,
  status: undefined,
  reason: undefined,
  upgrade: boolean,
  keepsAlive: boolean,
) => void;

interface HttpParser {
  [callback: number]: unknown;
  initialize(type: number, resource: object, maxHeaderBytes: number, leniency: number): void;
  /** The number of bytes it has read, or an error. */
  execute(bytes: Buffer): number | Error;
}

interface HttpCommon {
  methods: readonly string[];
  HTTPParser: (new () => HttpParser) &
    Record<'REQUEST' | 'kLenientNone' | 'kOnMessageBegin' | 'kOnHeaders' | 'kOnHeadersComplete', number> &
    Record<'kOnMessageComplete', number>;
}

/** Null if this Node.js has another parser than expected. */
export function createRequestParser(): ParseRequest | null {
  try {
    const common = process.getBuiltinModule('node:_http_common') as HttpCommon | undefined;
    const parse = common ? requestParser(common) : null;
    return parse && isAsExpected(parse) ? parse : null;
  } catch {
    return null;
  }
}

/** One parser for all connections: after a complete request it is at the start of the next one, otherwise it is reset. */
function requestParser({ HTTPParser, methods }: HttpCommon): ParseRequest {
  const parser = new HTTPParser();
  const resource = {};
  let begun = 0;
  let completed = 0;
  let isUnusual = false;
  let isReady = false;
  let head: RequestHead | null = null;
  const onHeadersComplete: HeadersComplete = (major, minor, rawHeaders, method, url, _s, _r, upgrade, keepsAlive) => {
    if (rawHeaders === undefined || url === undefined || upgrade || !keepsAlive) isUnusual = true;
    else head = { method: methods[method] ?? '', url, isHttp11: major === 1 && minor === 1, rawHeaders };
  };
  parser[HTTPParser.kOnHeadersComplete] = onHeadersComplete;
  parser[HTTPParser.kOnMessageBegin] = () => {
    begun += 1;
  };
  parser[HTTPParser.kOnMessageComplete] = () => {
    completed += 1;
  };
  // Called for headers beyond the first 32, and for trailers.
  parser[HTTPParser.kOnHeaders] = () => {
    isUnusual = true;
  };
  return (bytes) => {
    begun = 0;
    completed = 0;
    isUnusual = false;
    head = null;
    if (!isReady) parser.initialize(HTTPParser.REQUEST, resource, 0, HTTPParser.kLenientNone);
    isReady = false;
    if (parser.execute(bytes) !== bytes.length || begun > 1 || isUnusual) return null;
    isReady = completed === 1;
    return head === null ? 'incomplete' : { head, isComplete: isReady };
  };
}

const PROBE = Buffer.from('POST /probe HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');

function isAsExpected(parse: ParseRequest): boolean {
  const expected = { method: 'POST', url: '/probe', isHttp11: true, rawHeaders: ['Host', 'a', 'Content-Length', '2'] };
  const results = [PROBE, PROBE.subarray(0, -1), PROBE.subarray(0, 9), Buffer.concat([PROBE, PROBE]), Buffer.from('?')];
  return (
    JSON.stringify(results.map(parse)) ===
    JSON.stringify([
      { head: expected, isComplete: true },
      { head: expected, isComplete: false },
      'incomplete',
      null,
      null,
    ])
  );
}
