// Adds examples to the operations of the OpenAPI document. The tests record them from real requests.
import type { Components, Reference, Response } from './components.ts';
import type { Operation } from './operation.ts';

export interface OperationExamples {
  request?: unknown;
  /** Uploaded files by content type. */
  uploads?: Record<string, string>;
  /** Success replies by status. */
  replies: Record<string, unknown>;
  /** The list as CSV: the header and the first lines. */
  csv?: string;
  /** Refusals by status, then by code. */
  refusals?: Record<string, Record<string, unknown>>;
}

export type Examples = Record<string, OperationExamples>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const CSV_TYPE = 'text/csv';

export function addExamples(operation: Operation, examples: OperationExamples, components: Components): void {
  const { requestBody, responses } = operation;
  for (const type of [JSON_TYPE, FORM_TYPE]) {
    addExample(requestBody?.content, operation.operationId, examples.request, type);
  }
  for (const [type, file] of Object.entries(examples.uploads ?? {})) {
    addExample(requestBody?.content, operation.operationId, file, type);
  }
  addExample(responseAt(responses[200], components)?.content, operation.operationId, examples.csv, CSV_TYPE);
  for (const [status, value] of Object.entries(examples.replies)) {
    addExample(responseAt(responses[status], components)?.content, operation.operationId, value);
  }
  for (const [status, byCode] of Object.entries(examples.refusals ?? {})) {
    const { content } = responseAt(responses[status], components) ?? {};
    for (const [code, value] of Object.entries(byCode)) addExample(content, code, value);
  }
}

/** Operations with the same refusals share a component, and the first example of each code. */
function responseAt(response: Response | Reference | undefined, { responses }: Components): Response | undefined {
  if (!response || !('$ref' in response)) return response;
  return responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)];
}

export function addExample(content: Response['content'], name: string, value: unknown, type = JSON_TYPE): void {
  const media = content?.[type];
  if (!media || value === undefined || value === null) return;
  media.examples = { [name]: { value }, ...media.examples };
}
