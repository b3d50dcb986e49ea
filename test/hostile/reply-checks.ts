// What every reply must be, whatever was asked: described by the document, civil, in time, and silent about secrets.
import { CATALOGUE } from '../../src/kernel/refusal.ts';
import type { Json } from '../support/gateway.ts';
import { type Document, type Operation, operationFinder, operationReplyValidator } from '../support/openapi.ts';
import { bytesOf, type Outcome, type WireReply, type WireRequest } from '../support/wire.ts';
import type { Secrets } from './secrets.ts';

export interface Asked {
  request: WireRequest;
  /** It is not HTTP any more. */
  brokenHttp: boolean;
}

/** The words of a fault; null: nothing is wrong. */
export type Judge = (asked: Asked, outcome: Outcome) => string | null;

/** Whatever a service says of its inside when it fails to keep it to itself. */
const INSIDE =
  /\bat \S+ \(|\.ts:\d+|node_modules|\bselect\b.+\bfrom\b|violates|syntax error at|duplicate key value|SQLSTATE|ECONN|\[object Object\]/i;

/** What Node takes of a request line and headers. */
const MAX_HEAD_BYTES = 16 * 1024;
/** As sent, with what is added on the way. */
const headSize = (request: WireRequest) => bytesOf(request, '127.0.0.1').length - request.body.length;

export function judgeBy(document: Document, secrets: Secrets): Judge {
  const find = operationFinder(document);
  const hold = operationReplyValidator();

  function served({ method, target }: WireRequest): Operation | undefined {
    const path = target.split(/[?#]/, 1)[0] ?? '';
    return find(method, path) ?? find(method, decoded(path));
  }

  /** Whether the operation that was reached describes the reply. */
  function holdToDocument({ request, brokenHttp }: Asked, { status }: WireReply, json: Json): void {
    const operation = served(request);
    // A server's own words about what is no HTTP, or too much of it, are not the operation's.
    const beforeRouting = (brokenHttp && status >= 400) || (status === 431 && headSize(request) >= MAX_HEAD_BYTES);
    if (!operation || beforeRouting) return;
    hold(operation, { status, json }, `${request.method} ${request.target.slice(0, 80)}`);
  }

  function fault(asked: Asked, outcome: Outcome): string | null {
    if (outcome === 'timeout') return 'no reply in time';
    if (outcome === 'closed') return asked.brokenHttp ? null : 'the connection was closed without a reply';
    if (outcome.status >= 500) return `answered ${outcome.status}`;
    const json = jsonOf(outcome);
    if (json === BROKEN) return 'answered what is not JSON';
    holdToDocument(asked, outcome, json);
    const isRefusal = outcome.status >= 400 && asked.request.method !== 'HEAD';
    return isRefusal ? uncivil(json, outcome, secrets) : null;
  }

  return (asked, outcome) => {
    try {
      return fault(asked, outcome);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

function uncivil(json: Json, { body, headers }: WireReply, secrets: Secrets): string | null {
  const text = body.toString('utf8');
  if (!headers.get('content-type')?.startsWith('application/json')) return `refused in ${headers.get('content-type')}`;
  const { success, status, code, error, message } = json ?? {};
  if (success !== false && status !== 'error') return 'a refusal that does not say so';
  if (String(error ?? message ?? '').length < 6) return 'a refusal without a sentence';
  if (code !== undefined && !(code in CATALOGUE)) return `an unknown code ${code}`;
  if (INSIDE.test(text)) return 'a refusal that shows the inside';
  const leaked = secrets.find(text);
  return leaked && `a refusal with ${leaked}`;
}

const BROKEN = Symbol('not JSON');

function jsonOf({ headers, body }: WireReply): Json {
  if (!headers.get('content-type')?.startsWith('application/json') || body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return BROKEN;
  }
}

/** As the router reads it: an encoded slash separates nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252f'));
  } catch {
    return path;
  }
}
