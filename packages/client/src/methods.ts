// Makes the methods of a family, such as kissi.subscribers.block(id, params), out of generated operations.
import { List } from './list.ts';
import type { Client, Reply, UploadOptions } from './low-level.ts';

/** The generated type of an operation's request. */
interface Data {
  body?: unknown;
  query?: unknown;
}

/** A request's body, in which the client can fill in the fields `Made`. */
export type Body<D extends Data, Made extends string = never> = MadeOptional<NonNullable<D['body']>, Made>;
type MadeOptional<B, Made extends string> = B extends unknown
  ? Omit<B, Made> & Partial<Pick<B, Extract<keyof B, Made>>>
  : never;

/** The query parameters, as numbers and booleans too. */
export type Query<D extends Data> = { [Name in keyof NonNullable<D['query']>]: Loose<NonNullable<D['query']>[Name]> };
type Loose<T> = T extends `${infer N extends number | boolean}` ? T | N : T;

/** An operation's reply. */
export type Result<Responses> = Promise<Reply<Responses[keyof Responses]>>;

/** The reply of an operation that returns a list in the field `Items`. */
export type ListResult<Responses, Items extends string> = List<
  Reply<Responses[keyof Responses]>,
  ItemOf<Responses[keyof Responses], Items>
>;
type ItemOf<Page, Items extends string> = Page extends { [Name in Items]: ReadonlyArray<infer Item> } ? Item : never;

/** One method: the operation, its path parameters in order, and where the other parameters go. */
export interface Method {
  call: (options: never) => Promise<unknown>;
  path?: readonly string[];
  /** Where the parameters of the method are sent; none if absent. */
  params?: 'body' | 'query';
  /** The field of the reply that holds a list's records. */
  items?: string;
}

type Arguments = readonly unknown[];

export function bindMethod(client: Client, method: Method): (...args: Arguments) => unknown {
  const call = method.call as (options: object) => Promise<unknown>;
  return (...args) => {
    const request = requestOf(method, args);
    if (!method.items) return call({ client, ...request });
    const { params = 'query', items } = method;
    const page = (changes: object) =>
      call({ client, ...request, [params]: { ...(request[params] ?? {}), ...changes } });
    const csv = () => call({ client, ...request, accept: 'text/csv' }) as Promise<ReadableStream<Uint8Array>>;
    return new List({ page, csv, items });
  };
}

interface Request extends UploadOptions {
  path?: Record<string, unknown>;
  body?: unknown;
  query?: unknown;
}

/** The arguments of a method are its path parameters, its other parameters if it has any, and options. */
function requestOf({ path = [], params }: Method, args: Arguments): Request {
  const named = Object.fromEntries(path.map((name, n) => [name, args[n]]));
  const rest = args.slice(path.length);
  const [values, options] = params ? rest : [undefined, rest[0]];
  return {
    ...(options as object | undefined),
    ...(path.length > 0 ? { path: named } : {}),
    ...(params && values !== undefined ? { [params]: values } : {}),
  };
}
