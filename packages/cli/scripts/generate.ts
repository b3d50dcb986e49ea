// Generates the command table from the OpenAPI document. `npm run docs` writes it, and a test fails on a difference.
import { describeOperations } from '../../client/scripts/document.ts';
import { familiesOf } from '../../client/scripts/families.ts';
import type { CommandTable, Family, Field, FieldType, Operation } from '../src/command-table.ts';
import { columnsOf, isMoney, moneyOf } from './columns.ts';
import {
  type Content,
  type Document,
  type DocumentOperation,
  follow,
  isType,
  mainAlternative,
  propertiesOf,
  requiredOf,
  type Schema,
} from './document.ts';
import { FAMILY_TEXTS } from './family-texts.ts';

/** `kissi login` and `kissi logout` keep the tokens in the profile; the console keeps its own in a cookie. */
const REPLACED = new Set([
  ...['login', 'finishLogin', 'refreshTokens', 'logout'],
  ...['startConsoleSession', 'finishConsoleLogin', 'refreshConsoleSession', 'endConsoleSession'],
]);

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `openApi`: the document's text. */
export function generateCommands(openApi: string): { path: string; text: string } {
  const document = JSON.parse(openApi) as Document;
  const routes = new Map(
    Object.entries(document.paths).flatMap(([url, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [operation.operationId, { url, method, operation }] as const,
      ),
    ),
  );
  const families = familiesOf(describeOperations(JSON.parse(openApi))).flatMap(([family, methods]): Family[] => {
    const shown = methods.filter(({ id }) => !REPLACED.has(id));
    const operations = shown.map(({ id, methodName, traits: { key }, items }): Operation => {
      const route = routes.get(id);
      if (!route) throw new Error(`the document has no operation ${id}`);
      return {
        ...{ id, family: kebab(family), name: kebab(methodName) },
        ...describe(document, route),
        ...(key ? { key } : {}),
        ...listOf(document, route, items),
      };
    });
    return operations.length === 0 ? [] : [{ name: kebab(family), description: descriptionOf(family), operations }];
  });
  return { path: 'packages/cli/src/generated/commands.json', text: written({ families }) };
}

function descriptionOf(family: string): string {
  const text = FAMILY_TEXTS[family];
  if (text === undefined) throw new Error(`${family} has no text in packages/cli/scripts/family-texts.ts`);
  return text;
}

/** One line per operation, so that differences are readable. */
function written({ families }: CommandTable): string {
  const rows = families.map(({ name, description, operations }) => {
    const lines = operations.map((operation) => `    ${JSON.stringify(operation)}`).join(',\n');
    return `  { "name": ${JSON.stringify(name)}, "description": ${JSON.stringify(description)}, "operations": [\n${lines}\n  ] }`;
  });
  return `{ "families": [\n${rows.join(',\n')}\n] }\n`;
}

interface Route {
  url: string;
  method: string;
  operation: DocumentOperation;
}

function describe(document: Document, { url, method, operation }: Route) {
  const parameters = (operation.parameters ?? []).map((parameter) => follow(document, parameter));
  const within = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, description, required }) => {
        const described = { ...follow(document, schema), ...(description ? { description } : {}) };
        return fieldOf(document, name, described, required === true);
      });
  const body = operation.requestBody && follow(document, operation.requestBody);
  // An upload of several types may have JSON among them.
  const isJson = Object.keys(body?.content ?? {})[0] === 'application/json';
  const json = isJson ? body?.content?.['application/json'] : undefined;
  const uploads = Object.keys(body?.content ?? {}).filter((type) => type !== 'multipart/form-data');
  const example = json?.example ?? exampleOf(document, json?.examples);
  const money = moneyOf(document, replyOf(document, operation)?.['application/json']?.schema);
  return {
    method: method.toUpperCase() as Operation['method'],
    url,
    summary: operation.summary ?? operation.operationId,
    ...(operation.description ? { description: operation.description } : {}),
    path: within('path'),
    query: within('query'),
    body: withPlainPin(bodyFields(document, json?.schema, '')),
    ...(body && !json ? { upload: uploads } : {}),
    ...(money.length > 0 ? { money } : {}),
    ...(isFile(replyOf(document, operation)) ? { file: true as const } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function exampleOf(document: Document, examples: Record<string, { value?: unknown; $ref?: string }> = {}): unknown {
  const [first] = Object.values(examples);
  return first && follow(document, first).value;
}

function replyOf(document: Document, { responses }: DocumentOperation): Content['content'] {
  const [, reply] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return reply && follow(document, reply).content;
}

/** Plain text, such as metrics, is shown; other types are files. */
function isFile(content: Content['content']): boolean {
  const types = Object.keys(content ?? {});
  return (
    types.length > 0 && !types.some((type) => type.startsWith('application/json') || type.startsWith('text/plain'))
  );
}

function listOf(document: Document, { operation }: Route, items: string | null) {
  if (items === null) return {};
  const content = replyOf(document, operation) ?? {};
  const list = propertiesOf(document, content['application/json']?.schema)[items];
  const item = list && follow(document, list).items;
  return {
    items,
    ...(content['text/csv'] ? { csv: true as const } : {}),
    columns: columnsOf(document, item),
  };
}

/** Where the API takes an encrypted PIN, the command takes the PIN itself: the client encrypts it. */
function withPlainPin(fields: Field[]): Field[] {
  if (!fields.some(({ name }) => name === 'encrypted_pin')) return fields;
  const help = 'Encrypted for this card before it is sent.';
  return fields
    .filter(({ name }) => name !== 'encrypted_pin')
    .map((field) => (field.name === 'pin' ? { ...field, help, required: true } : field));
}

/** Flags for a body's fields. The fields of an object inside become flags with a dot. */
function bodyFields(document: Document, schema: Schema | undefined, prefix: string): Field[] {
  const required = new Set(requiredOf(document, schema));
  return Object.entries(propertiesOf(document, schema)).flatMap(([name, field]) => {
    const main = mainAlternative(document, field);
    // Read-only fields are accepted so that a record can be sent back; nobody types them.
    if (follow(document, field).readOnly) return [];
    const inner = prefix === '' ? bodyFields(document, main, `${name}.`) : [];
    if (inner.length > 0) return inner;
    return [fieldOf(document, `${prefix}${name}`, field, prefix === '' && required.has(name))];
  });
}

function fieldOf(document: Document, name: string, schema: Schema, required: boolean): Field {
  const main = mainAlternative(document, schema);
  const help = follow(document, schema).description ?? main.description;
  const values = main.enum?.filter((value) => typeof value === 'string' && value !== '') as string[] | undefined;
  return {
    name,
    type: typeOf(document, name, schema),
    ...(help ? { help } : {}),
    ...(values && values.length > 0 ? { values } : {}),
    ...(required ? { required } : {}),
  };
}

function typeOf(document: Document, name: string, schema: Schema): FieldType {
  const main = mainAlternative(document, schema);
  if (follow(document, schema)['x-raw-text'] === 'number' || isMoney(document, name.split('.').at(-1) ?? '', schema))
    return 'money';
  if (isType(main, 'integer')) return 'integer';
  if (isType(main, 'number')) return 'number';
  if (isType(main, 'boolean')) return 'boolean';
  if (isType(main, 'array')) return isTextList(document, main) ? 'list' : 'json';
  if (isType(main, 'string') || main.enum) return 'text';
  return 'json';
}

function isTextList(document: Document, { items }: Schema): boolean {
  const item = items && mainAlternative(document, items);
  return item !== undefined && (isType(item, 'string') || item.enum !== undefined);
}
