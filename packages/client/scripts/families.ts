// Writes families.gen.ts: the methods of each family, with the words of the document as their comments.
import type { DescribedOperation } from './document.ts';
import { METHOD_NAMES } from './method-names.ts';

interface NamedOperation extends DescribedOperation {
  methodName: string;
}

export function familiesFile(operations: readonly DescribedOperation[]): string {
  const families = named(operations);
  const used = operations.map(({ id }) => id).sort();
  const typeNames = families.flatMap(([, methods]) => methods.flatMap(typesOf)).sort();
  return `import type { Body, ListResult, Query, Result } from '../methods.ts';
import type { CallOptions, Reply, UploadBody, UploadOptions } from '../low-level.ts';
import {
${used.map((id) => `  ${id},`).join('\n')}
} from './sdk.gen.ts';
import type {
${typeNames.map((name) => `  ${name},`).join('\n')}
} from './types.gen.ts';

/** One property per family of operations. */
export interface Families {
${families.map(([family]) => `  readonly ${family}: ${interfaceName(family)};`).join('\n')}
}

${families.map(interfaceOf).join('\n\n')}

/** The operation behind each method. */
export const FAMILIES = {
${families.map(tableOf).join('\n')}
};
`;
}

/** Families in the order of METHOD_NAMES. Fails for an operation without a name, and for a name without an operation. */
function named(operations: readonly DescribedOperation[]): [family: string, methods: NamedOperation[]][] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const families = Object.entries(METHOD_NAMES).map(([family, methods]): [string, NamedOperation[]] => [
    family,
    Object.entries(methods).map(([methodName, id]) => {
      const operation = byId.get(id);
      if (!operation) throw new Error(`kissi.${family}.${methodName}: the document has no operation ${id}`);
      byId.delete(id);
      return { ...operation, methodName };
    }),
  ]);
  const [forgotten] = byId.keys();
  if (forgotten === undefined) return families;
  throw new Error(`${forgotten} has no method: add it to a family in packages/client/scripts/method-names.ts`);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const interfaceName = (family: string) => `${capital(family)}Methods`;
const dataType = (id: string) => `${capital(id)}Data`;
const responsesType = (id: string) => `${capital(id)}Responses`;

function typesOf(operation: NamedOperation): string[] {
  const { id, hasQuery } = operation;
  const usesData = isJsonBody(operation) || hasQuery;
  const usesReply = replyIs(operation, 'json') || isEmpty(operation);
  return [...(usesData ? [dataType(id)] : []), ...(usesReply ? [responsesType(id)] : [])];
}

function interfaceOf([family, methods]: [string, NamedOperation[]]): string {
  const lines = methods.map((method) => `${commentOf(method)}\n  ${signatureOf(method)}`);
  return `export interface ${interfaceName(family)} {\n${lines.join('\n')}\n}`;
}

function commentOf({ text, method, url, traits }: NamedOperation): string {
  const key = traits.key ? ` Retries send the same \`${traits.key}\`, which is made when absent.` : '';
  return `  /** ${text}. ${method} ${url}.${key} */`;
}

function signatureOf(operation: NamedOperation): string {
  const { methodName, pathParameters } = operation;
  const path = pathParameters.map(({ name, isNumber }) => `${camelCase(name)}: string${isNumber ? ' | number' : ''}`);
  return `${methodName}(${[...path, ...paramsOf(operation), optionsOf(operation)].join(', ')}): ${resultOf(operation)};`;
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const isJsonBody = ({ bodyTypes }: NamedOperation) => bodyTypes?.includes('application/json') ?? false;

function paramsOf(operation: NamedOperation): string[] {
  const { id, bodyTypes, bodyRequired, bodyFields, hasQuery, traits } = operation;
  if (bodyTypes && !isJsonBody(operation)) return ['file: UploadBody'];
  if (bodyTypes) {
    const made = traits.key && bodyFields.required?.includes(traits.key) ? `, '${traits.key}'` : '';
    return [`params${bodyRequired ? '' : '?'}: Body<${dataType(id)}${made}>`];
  }
  return hasQuery ? [`params?: Query<${dataType(id)}>`] : [];
}

function optionsOf(operation: NamedOperation): string {
  const { id, bodyTypes, hasQuery } = operation;
  const base = bodyTypes && !isJsonBody(operation) ? 'UploadOptions' : 'CallOptions';
  return `options?: ${base}${bodyTypes && hasQuery ? ` & { query?: Query<${dataType(id)}> }` : ''}`;
}

function resultOf(operation: NamedOperation): string {
  const { id, items } = operation;
  if (items) return `ListResult<${responsesType(id)}, '${items}'>`;
  if (isEmpty(operation)) return `Result<${responsesType(id)}>`;
  const kinds = [
    ...(replyIs(operation, 'json') ? [`Reply<${responsesType(id)}[keyof ${responsesType(id)}]>`] : []),
    ...(replyIs(operation, 'text') && !isCsvByHeader(operation) ? ['string'] : []),
    ...(replyIs(operation, 'blob') ? ['Blob'] : []),
  ];
  return kinds.length === 1 && replyIs(operation, 'json')
    ? `Result<${responsesType(id)}>`
    : `Promise<${kinds.join(' | ')}>`;
}

/** The client asks for JSON where the header Accept decides between it and CSV. */
const isCsvByHeader = (operation: NamedOperation) => operation.method === 'GET' && replyIs(operation, 'json');

const isEmpty = ({ replyTypes }: NamedOperation) => replyTypes.length === 0;

/** How the client returns a content type. */
function kindOf(type: string): 'json' | 'text' | 'blob' {
  if (type.startsWith('application/json')) return 'json';
  return type.startsWith('text/') ? 'text' : 'blob';
}

function replyIs({ replyTypes }: NamedOperation, kind: ReturnType<typeof kindOf>): boolean {
  return replyTypes.some((type) => kindOf(type) === kind);
}

function tableOf([family, methods]: [string, NamedOperation[]]): string {
  return `  ${family}: {\n${methods.map(rowOf).join('\n')}\n  },`;
}

function rowOf({ id, methodName, pathParameters, bodyTypes, hasQuery, items }: NamedOperation): string {
  const params = bodyTypes ? 'body' : hasQuery ? 'query' : null;
  const fields = [
    `call: ${id}`,
    ...(pathParameters.length > 0 ? [`path: [${pathParameters.map(({ name }) => `'${name}'`).join(', ')}]`] : []),
    ...(params ? [`params: '${params}' as const`] : []),
    ...(items ? [`items: '${items}'`] : []),
  ];
  return `    ${methodName}: { ${fields.join(', ')} },`;
}
