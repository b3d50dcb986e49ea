// Records requests and replies of a scenario as examples of their operations.
import type { CallOptions, CallReply, Json, TestGateway } from '../support/gateway.ts';
import { type Document, operationFinder, resolvedDocument } from '../support/openapi.ts';
import { Normalizer } from './normalize.ts';

export interface OperationExamples {
  request?: Json;
  /** Success replies by status. */
  replies: Record<string, Json>;
  /** Refusals by status, then by code. */
  refusals?: Record<string, Record<string, Json>>;
}

export type Examples = Record<string, OperationExamples>;

export interface Recorder {
  /** The gateway whose calls are recorded. */
  kissi: TestGateway;
  /** The first success of each operation and status, and the first refusal of each code. */
  examples(): Examples;
}

export function recorderOf(kissi: TestGateway): Recorder {
  const find = operationFinder(resolvedDocument(kissi.gateway.app.openApi()) as Document);
  const recorded: Examples = {};
  const normalizer = new Normalizer();

  function record(method: string, path: string, options: CallOptions, reply: CallReply): void {
    const operation = find(method, path.split('?', 1)[0] ?? '') as Json;
    if (!operation) return;
    recorded[operation.operationId] ??= { replies: {} };
    const examples = recorded[operation.operationId] as OperationExamples;
    const request = requestOf(options);
    if (reply.status < 400) {
      if (request !== undefined && examples.request === undefined) examples.request = normalizer.value(request);
      examples.replies[reply.status] ??= normalizer.value(reply.json ?? null);
    } else {
      examples.refusals ??= {};
      const byCode = examples.refusals[reply.status] ?? {};
      byCode[reply.json.code ?? 'REFUSED'] ??= normalizer.value(reply.json);
      examples.refusals[reply.status] = byCode;
    }
  }

  const call: TestGateway['call'] = async (method, path, options = {}) => {
    const reply = await kissi.call(method, path, options);
    record(method, path, options, reply);
    return reply;
  };
  return { kissi: { ...kissi, call }, examples: () => sorted(recorded) };
}

/** The body as JSON; files are not recorded. */
function requestOf({ body, raw, headers = {} }: CallOptions): Json | undefined {
  if (raw === undefined) return body;
  return typeof raw === 'string' && !headers['content-type'] ? JSON.parse(raw) : undefined;
}

function sorted(examples: Examples): Examples {
  return Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
}
