// The table of commands: one per operation of the API. npm run docs generates it from the OpenAPI document.
import { readFileSync } from 'node:fs';

export type FieldType = 'text' | 'money' | 'integer' | 'number' | 'boolean' | 'list' | 'json';

/** A path parameter, query parameter or field of the body. */
export interface Field {
  /** As the API spells it; fields of nested objects with a dot, such as payer.name. */
  name: string;
  type: FieldType;
  help?: string;
  values?: string[];
  required?: true;
}

export interface Operation {
  id: string;
  /** Family and name of the command, such as `webhook-deliveries` and `list`. */
  family: string;
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  summary: string;
  /** Who may call it, and other details. */
  description?: string;
  path: Field[];
  query: Field[];
  body: Field[];
  /** Content types of an upload; absent for JSON. */
  upload?: string[];
  /** The field by which the service recognizes a repeated payment. */
  key?: 'request_id' | 'reference';
  /** The field of the reply that holds a list's records. */
  items?: string;
  /** The list is also available as a CSV file. */
  csv?: true;
  /** The reply is a file. */
  file?: true;
  /** The table's columns, the most important first. */
  columns?: string[];
  /** Fields of the reply that are amounts in minor units. */
  money?: string[];
  /** A request body that the service accepted in a test. */
  example?: unknown;
}

export interface Family {
  name: string;
  description: string;
  operations: Operation[];
}

export interface CommandTable {
  families: Family[];
}

let loaded: CommandTable | null = null;

export function commandTable(): CommandTable {
  loaded ??= JSON.parse(readFileSync(new URL('./generated/commands.json', import.meta.url), 'utf8')) as CommandTable;
  return loaded;
}

export function operation(id: string): Operation {
  for (const { operations } of commandTable().families) {
    const found = operations.find((candidate) => candidate.id === id);
    if (found) return found;
  }
  throw new Error(`the API has no operation ${id}`);
}
