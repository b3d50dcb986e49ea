// Writes families.gen.ts: the methods of each family, with the words of the document as their comments.
import type { DescribedOperation } from './document.ts';

export function familiesFile(operations: readonly DescribedOperation[]): string {
  const families = familiesOf(operations);
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

/** In the order of the document. Fails if two operations have one name. */
export function familiesOf<Operation extends { family: string; methodName: string }>(
  operations: readonly Operation[],
): [family: string, methods: Operation[]][] {
  const families = [...Map.groupBy(operations, ({ family }) => family)];
  for (const [family, methods] of families) {
    const names = methods.map(({ methodName }) => methodName);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice) throw new Error(`two endpoints have the clientMethod ${family}.${twice}`);
  }
  return families;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const interfaceName = (family: string) => `${capital(family)}Methods`;
const dataType = (id: string) => `${capital(id)}Data`;
const responsesType = (id: string) => `${capital(id)}Responses`;

function typesOf(operation: DescribedOperation): string[] {
  const { id, hasQuery } = operation;
  const usesData = isJsonBody(operation) || hasQuery;
  const usesReply = replyIs(operation, 'json') || isEmpty(operation);
  return [...(usesData ? [dataType(id)] : []), ...(usesReply ? [responsesType(id)] : [])];
}

function interfaceOf([family, methods]: [string, DescribedOperation[]]): string {
  const lines = methods.map((method) => `${commentOf(method)}\n  ${signatureOf(method)}`);
  return `export interface ${interfaceName(family)} {\n${lines.join('\n')}\n}`;
}

function commentOf({ text, method, url, traits }: DescribedOperation): string {
  const key = traits.key ? ` Retries send the same \`${traits.key}\`, which is made when absent.` : '';
  return `  /** ${text}. ${method} ${url}.${key} */`;
}

function signatureOf(operation: DescribedOperation): string {
  const { methodName, pathParameters } = operation;
  const path = pathParameters.map(({ name, isNumber }) => `${camelCase(name)}: string${isNumber ? ' | number' : ''}`);
  return `${methodName}(${[...path, ...paramsOf(operation), optionsOf(operation)].join(', ')}): ${resultOf(operation)};`;
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** An upload of several types may have JSON among them. */
const isJsonBody = ({ bodyTypes }: DescribedOperation) => bodyTypes?.[0] === 'application/json';

function paramsOf(operation: DescribedOperation): string[] {
  const { id, bodyTypes, bodyRequired, bodyFields, hasQuery, traits } = operation;
  if (bodyTypes && !isJsonBody(operation)) return ['file: UploadBody'];
  if (bodyTypes) {
    const made = traits.key && bodyFields.required?.includes(traits.key) ? `, '${traits.key}'` : '';
    return [`params${bodyRequired ? '' : '?'}: Body<${dataType(id)}${made}>`];
  }
  return hasQuery ? [`params?: Query<${dataType(id)}>`] : [];
}

function optionsOf(operation: DescribedOperation): string {
  const { id, bodyTypes, hasQuery } = operation;
  const base = bodyTypes && !isJsonBody(operation) ? 'UploadOptions' : 'CallOptions';
  return `options?: ${base}${bodyTypes && hasQuery ? ` & { query?: Query<${dataType(id)}> }` : ''}`;
}

function resultOf(operation: DescribedOperation): string {
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
const isCsvByHeader = (operation: DescribedOperation) => operation.method === 'GET' && replyIs(operation, 'json');

const isEmpty = ({ replyTypes }: DescribedOperation) => replyTypes.length === 0;

/** How the client returns a content type. */
function kindOf(type: string): 'json' | 'text' | 'blob' {
  if (type.startsWith('application/json')) return 'json';
  return type.startsWith('text/') ? 'text' : 'blob';
}

function replyIs({ replyTypes }: DescribedOperation, kind: ReturnType<typeof kindOf>): boolean {
  return replyTypes.some((type) => kindOf(type) === kind);
}

function tableOf([family, methods]: [string, DescribedOperation[]]): string {
  return `  ${family}: {\n${methods.map(rowOf).join('\n')}\n  },`;
}

function rowOf({ id, methodName, pathParameters, bodyTypes, hasQuery, items }: DescribedOperation): string {
  const params = bodyTypes ? 'body' : hasQuery ? 'query' : null;
  const fields = [
    `call: ${id}`,
    ...(pathParameters.length > 0 ? [`path: [${pathParameters.map(({ name }) => `'${name}'`).join(', ')}]`] : []),
    ...(params ? [`params: '${params}' as const`] : []),
    ...(items ? [`items: '${items}'`] : []),
  ];
  return `    ${methodName}: { ${fields.join(', ')} },`;
}
