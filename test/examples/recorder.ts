// Records requests and replies of a scenario as examples of their operations.
import { pascalCase } from '../../src/http/openapi/schema.ts';
import type { CallOptions, CallReply, Json, TestGateway } from '../support/gateway.ts';
import { type Document, operationFinder, resolvedDocument } from '../support/openapi.ts';
import { Normalizer } from './normalize.ts';

export interface OperationExamples {
  request?: Json;
  /** Uploaded files by content type. */
  uploads?: Record<string, string>;
  /** Success replies by status. */
  replies: Record<string, Json>;
  /** The list as CSV. */
  csv?: string;
  /** Refusals by status, then by code. */
  refusals?: Record<string, Record<string, Json>>;
}

export type Examples = Record<string, OperationExamples>;

export interface Recorder {
  /** The gateway whose calls are recorded. */
  kissi: TestGateway;
  /** Records a webhook's body. */
  event(name: string, payload: Json): void;
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
      if (isExport(operation, reply)) {
        examples.csv ??= normalizer.csv(reply.text);
        return;
      }
      const type = options.headers?.['content-type'];
      if (type && typeof options.raw === 'string') examples.uploads = { [type]: options.raw, ...examples.uploads };
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
    if (method === 'GET' && reply.status === 200) await exportList(path, options);
    return reply;
  };

  /** Every list can be read as CSV too. */
  async function exportList(path: string, options: CallOptions): Promise<void> {
    const operation = find('GET', path.split('?', 1)[0] ?? '') as Json;
    if (!operation?.responses['200'].content?.['text/csv'] || recorded[operation.operationId]?.csv) return;
    const headers = { ...options.headers, accept: 'text/csv' };
    record('GET', path, options, await kissi.call('GET', path, { ...options, headers }));
  }

  function event(name: string, payload: Json): void {
    const id = `on${pascalCase(name.replace('.', '_'))}`;
    recorded[id] ??= { request: normalizer.value(payload), replies: {} };
  }

  return { kissi: { ...kissi, call }, event, examples: () => sorted(recorded) };
}

/** A list, and not a file that was uploaded. */
function isExport({ responses }: Json, { headers }: CallReply): boolean {
  return headers.get('content-type')?.startsWith('text/csv') === true && responses['200'].content['application/json'];
}

/** The body as JSON. */
function requestOf({ body, raw, headers = {} }: CallOptions): Json | undefined {
  if (raw === undefined) return body;
  return typeof raw === 'string' && !headers['content-type'] ? JSON.parse(raw) : undefined;
}

function sorted(examples: Examples): Examples {
  return Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
}
