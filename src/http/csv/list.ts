// Finds the list in the reply of an endpoint, and how its pages follow each other.
import type { TSchema } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { withCurrency } from './amounts.ts';
import type { ListRecord } from './csv-text.ts';

export interface ExportedList {
  columns: string[];
  /** The records of a JSON reply. */
  recordsOf(reply: ListRecord): ListRecord[];
  /**
   * cursor: the reply has next_cursor. position: the next page begins after the last record (`Page.after`).
   * none: one reply holds all records.
   */
  paging: 'cursor' | 'position' | 'none';
  /** The field that identifies a record in a list with positions. */
  key: string;
}

interface ObjectSchema {
  type?: string;
  properties?: Record<string, ObjectSchema>;
  items?: ObjectSchema;
  anyOf?: ObjectSchema[];
}

/** Null if the endpoint returns no list. By default, a list is a GET whose reply has exactly one array of objects. */
export function exportedList(endpoint: Endpoint): ExportedList | null {
  const { csv, method, replies, query, body } = endpoint;
  if (csv === false || (csv === undefined && method !== 'GET')) return null;
  const members = propertiesOf(replies[200]);
  const lists = Object.keys(members).filter((name) => columnsOf(members[name]).length > 0);
  const parameters = { ...propertiesOf(query), ...propertiesOf(body) };
  const pages = { paging: pagingOf(members, parameters), key: csv?.key ?? 'id' };
  if (csv?.rows) return { columns: withCurrency(csv.rows.columns), recordsOf: csv.rows.of, ...pages };
  const name = csv?.list ?? (lists.length === 1 ? lists[0] : undefined);
  if (name === undefined) return null;
  return {
    columns: withCurrency(columnsOf(members[name])),
    recordsOf: (reply) => reply[name] as ListRecord[],
    ...pages,
  };
}

function pagingOf(reply: object, parameters: object): ExportedList['paging'] {
  if ('next_cursor' in reply && 'cursor' in parameters) return 'cursor';
  return 'offset' in parameters ? 'position' : 'none';
}

function propertiesOf(schema: TSchema | undefined): Record<string, ObjectSchema> {
  return (schema as ObjectSchema | undefined)?.properties ?? {};
}

/** The fields of the records, in the order of the schema; empty if the member is not an array of objects. */
function columnsOf(member: ObjectSchema | undefined): string[] {
  const item = member?.type === 'array' ? member.items : undefined;
  const variants = item?.anyOf ?? (item ? [item] : []);
  return [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
}
