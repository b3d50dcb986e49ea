// What a list shows: its columns, its filters, and where its records come from.
import type { Kissi, SearchHit } from '@kissi/client';
import type { ReactNode } from 'react';

/** The parameters of a list, which are also in the page's address. */
export type Query = Record<string, string>;

/** A list of the client: awaited it is the first page; `csv` is the whole list as a file. */
export interface Listing extends PromiseLike<object> {
  csv(): Promise<ReadableStream<Uint8Array>>;
}

export interface Column<Row> {
  name?: string;
  title: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Left out where the list is narrower than this; `phone` keeps it everywhere. `title`: the first line on a phone. */
  keep?: 'title' | 'phone' | 'tablet' | 'desktop';
  /** The values of the list's `sort` parameter, for the lists that the service sorts by this column. */
  sort?: { up?: string; down?: string };
}

/** What is done with each of the selected rows: one call each, as if it were done on the rows' screens. */
export interface BulkAction<Row> {
  label: string;
  /** Said before it is done. */
  description: string;
  /** The rows that it is for; without it all. */
  isFor?: (row: Row) => boolean;
  /** Asks for a text, such as a reason. */
  text?: { label: string; maxLength: number };
  /** How the result names a row. */
  nameOf: (row: Row) => string;
  call: (client: Kissi, row: Row, text: string) => PromiseLike<unknown>;
}

/** `rare`: shown after "More filters", or while it is set. */
export type Filter = { rare?: boolean } & FilterKind;

type FilterKind =
  | { kind: 'text'; name: string; label: string; placeholder?: string }
  | { kind: 'choice'; name: string; label: string; options: readonly string[] | { value: string; label: string }[] }
  | { kind: 'amount'; name: string; label: string }
  | { kind: 'date'; name: string; label: string }
  /** A person or a business, found by name, phone number or account. `types`: of search hits. */
  | { kind: 'party'; name: string; label: string; types: readonly PartyType[] };

export type PartyType = Exclude<SearchHit['type'], 'card' | 'inbound'>;

export interface ListDefinition<Row> {
  /** The resource's name in the cache, such as 'subscribers'. */
  resource: string;
  /** Where a screen has several lists: begins the names of this one's parameters in the address, as in `merchants.offset`. */
  name?: string;
  /** What the records are called: "2,400 customers". */
  noun: string;
  read: (client: Kissi, query: Query, options: { signal?: AbortSignal }) => Listing;
  /** The field of the reply that holds the records. */
  items: string;
  columns: Column<Row>[];
  /** The order without a `sort` parameter. */
  defaultSort?: string;
  /** Rows can be selected if there are any. */
  bulk?: BulkAction<Row>[];
  filters?: Filter[];
  keyOf: (row: Row) => string;
  /** The screen that a row opens. */
  linkOf?: (row: Row) => string | null;
  /** Opens a row that has no screen of its own: the row's title is a button that does the same. */
  onOpen?: (row: Row) => void;
  pageSize?: number;
  /** Shown if there are no records at all. */
  empty?: ReactNode;
  /** The name of the file of an export. */
  fileName?: string;
  /** Parameters that are not in the address. */
  fixed?: Query;
  /** What the records that match add up to, for filters that bound them. */
  sums?: {
    isBounded: (query: Query) => boolean;
    read: (client: Kissi, query: Query, options: { signal?: AbortSignal }) => PromiseLike<object>;
  };
  /** Reads again after this time while the page is visible. */
  everyMs?: number;
}
