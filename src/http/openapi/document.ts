// The OpenAPI document, generated from the endpoint definitions that are served.
import type { Endpoint, RouteGroup } from '../endpoint.ts';
import { codeSamples } from './code-samples.ts';
import { Components } from './components.ts';
import { addExample, addExamples, type Examples } from './examples.ts';
import { describeFields, type FieldDescriptions } from './field-descriptions.ts';
import { HEADERS } from './headers.ts';
import { INTRODUCTION } from './introduction.ts';
import { type Operation, operationOf } from './operation.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { TAGS } from './tags.ts';
import { type WebhookDefinition, webhooksOf } from './webhooks.ts';

export interface DocumentOptions {
  groups: RouteGroup[];
  version: string;
  /** The events that the service sends. */
  webhooks: WebhookDefinition[];
  /** Read when the document is generated. */
  examples?: () => Examples;
  /** For fields whose schemas have no description. */
  fieldDescriptions?: FieldDescriptions;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  [key: string]: unknown;
}

export function openApiDocument(options: DocumentOptions): OpenApiDocument {
  const { groups, version, webhooks, fieldDescriptions } = options;
  const examples = options.examples?.() ?? {};
  const components = new Components();
  const paths: OpenApiDocument['paths'] = {};
  for (const { url, method, group, endpoint } of routesOf(groups)) {
    paths[url] = { ...paths[url], [method]: operationOf(group, endpoint, components) };
  }
  const operations = Object.values(paths).flatMap((each) => Object.values(each));
  const events = webhooksOf(webhooks, components);
  if (fieldDescriptions) describeFields(operations, components, fieldDescriptions);
  addSamples(paths, examples);
  components.shareParameters(operations);
  for (const operation of operations) {
    const example = examples[operation.operationId];
    if (example) addExamples(operation, example, components);
  }
  for (const { post } of Object.values(events)) {
    addExample(post.requestBody.content, post.operationId, examples[post.operationId]?.request);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kissi',
      version,
      summary: 'Wallets, cards, agents, merchants and partner banks.',
      description: INTRODUCTION,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: TAGS,
    paths,
    webhooks: events,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: sorted(components.schemas),
      parameters: sorted(components.parameters),
      headers: HEADERS,
      responses: sorted(components.responses),
    },
  };
}

/** The console's own session is for browsers, and needs no samples. */
function addSamples(paths: OpenApiDocument['paths'], examples: Examples): void {
  for (const [url, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const clientMethod = operation['x-client-method'];
      if (clientMethod === undefined || operation.security.some((each) => 'consoleSession' in each)) continue;
      const { request } = examples[operation.operationId] ?? {};
      operation['x-codeSamples'] = codeSamples(operation, { method: method.toUpperCase(), url, clientMethod, request });
    }
  }
}

interface Route {
  url: string;
  method: string;
  group: RouteGroup;
  endpoint: Endpoint;
}

function routesOf(groups: RouteGroup[]): Route[] {
  return groups.flatMap((group) =>
    group.endpoints.map((endpoint) => ({
      url: `${group.prefix}${endpoint.path}`.replaceAll(/:(\w+)/g, '{$1}'),
      method: endpoint.method.toLowerCase(),
      group,
      endpoint,
    })),
  );
}

function sorted<Value>(components: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
