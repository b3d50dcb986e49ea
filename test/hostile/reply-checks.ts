// Every reply's checks: it arrives in time, matches the OpenAPI document, and leaks no internals or secrets.
import { CATALOGUE } from '../../src/kernel/refusal.ts';
import type { Json } from '../support/gateway.ts';
import { type Document, type Operation, operationFinder, operationReplyValidator } from '../support/openapi.ts';
import { bytesOf, type Outcome, type WireReply, type WireRequest } from '../support/wire.ts';
import type { Secrets } from './secrets.ts';

export interface SentRequest {
  request: WireRequest;
  /** The request is not valid HTTP. */
  brokenHttp: boolean;
}

/** Returns the description of a fault, or null. */
export type ReplyChecker = (sent: SentRequest, outcome: Outcome) => string | null;

/** Texts that reveal internals: stack traces, SQL and driver errors. */
const INTERNALS =
  /\bat \S+ \(|\.ts:\d+|node_modules|\bselect\b.+\bfrom\b|violates|syntax error at|duplicate key value|SQLSTATE|ECONN|\[object Object\]/i;

/** Node's limit for the request line and headers. */
const MAX_HEAD_BYTES = 16 * 1024;
/** The size as sent, including the headers that the client adds. */
const headSize = (request: WireRequest) => bytesOf(request, '127.0.0.1').length - request.body.length;

export function replyChecker(document: Document, secrets: Secrets): ReplyChecker {
  const find = operationFinder(document);
  const validate = operationReplyValidator();

  function operationOf({ method, target }: WireRequest): Operation | undefined {
    const path = target.split(/[?#]/, 1)[0] ?? '';
    return find(method, path) ?? find(method, decoded(path));
  }

  /** Throws if the operation does not describe the reply. */
  function assertDocumented({ request, brokenHttp }: SentRequest, { status }: WireReply, json: Json): void {
    const operation = operationOf(request);
    // Node answers invalid HTTP and oversized headers before routing, so that no operation applies.
    const beforeRouting = (brokenHttp && status >= 400) || (status === 431 && headSize(request) >= MAX_HEAD_BYTES);
    if (!operation || beforeRouting) return;
    validate(operation, { status, json }, `${request.method} ${request.target.slice(0, 80)}`);
  }

  function fault(sent: SentRequest, outcome: Outcome): string | null {
    if (outcome === 'timeout') return 'no reply in time';
    if (outcome === 'closed') return sent.brokenHttp ? null : 'the connection was closed without a reply';
    if (outcome.status >= 500) return `answered ${outcome.status}`;
    const json = jsonOf(outcome);
    if (json === BROKEN) return 'the reply is not JSON';
    assertDocumented(sent, outcome, json);
    const isRefusal = outcome.status >= 400 && sent.request.method !== 'HEAD';
    return isRefusal ? refusalFault(json, outcome, secrets) : null;
  }

  return (sent, outcome) => {
    try {
      return fault(sent, outcome);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

function refusalFault(json: Json, { body, headers }: WireReply, secrets: Secrets): string | null {
  const text = body.toString('utf8');
  if (!headers.get('content-type')?.startsWith('application/json')) return `refused in ${headers.get('content-type')}`;
  const { success, status, code, error, message } = json ?? {};
  if (success !== false && status !== 'error') return 'a refusal without success: false or status: error';
  if (String(error ?? message ?? '').length < 6) return 'a refusal without a message';
  if (code !== undefined && !(code in CATALOGUE)) return `an unknown code ${code}`;
  if (INTERNALS.test(text)) return 'a refusal that reveals internals';
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

/** Decodes the path as the router does: an encoded slash is not a separator. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252f'));
  } catch {
    return path;
  }
}
