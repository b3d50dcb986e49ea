// A list's state: filters in the address, the current page, and its records.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import type { ListDefinition, Query } from './definition.ts';
import type { Sorting } from './header.tsx';

const DEFAULT_SIZE = 25;

interface PageReply {
  total_count?: number;
  total_is_minimum?: boolean;
  next_cursor?: string | null;
  archived_before?: string;
}

export interface ListState<Row> {
  rows: Row[] | undefined;
  error: unknown;
  isLoading: boolean;
  isFetching: boolean;
  retry: () => void;
  /** The filters that are set. */
  filters: Query;
  /** Sets some filters, and keeps the others. */
  change: (filters: Query) => void;
  setFilters: (filters: Query) => void;
  sorting: Sorting | undefined;
  offset: number;
  pageSize: number;
  total: number | null;
  totalIsMinimum: boolean;
  /** Earlier records are archived, and not listed. */
  archivedBefore: string | undefined;
  /** Absent on the last page. */
  next?: (() => void) | undefined;
  previous?: (() => void) | undefined;
  /** The parameters of the request, without the page's. */
  query: Query;
}

export function useList<Row>(definition: ListDefinition<Row>): ListState<Row> {
  const { resource, read, items, pageSize = DEFAULT_SIZE, fixed = {}, filters: known = [], everyMs } = definition;
  const address = useSearch({ strict: false }) as Query;
  const prefix = definition.name === undefined ? '' : `${definition.name}.`;
  const search = withoutPrefix(address, prefix);
  const navigate = useNavigate();
  const isSorted = definition.columns.some(({ sort }) => sort);
  const names = known.map(({ name }) => name);
  const filters = Object.fromEntries(
    Object.entries(search).filter(([name, value]) => names.includes(name) && value !== ''),
  );
  const offset = Number(search.offset) || 0;
  const query = { ...filters, ...fixed, ...(isSorted && search.sort ? { sort: search.sort } : {}) };
  const request = { ...query, limit: String(pageSize), ...(offset > 0 ? { offset: String(offset) } : {}) };
  const result = useRead([resource, request], (options) => read(kissi, request, options), {
    keepPrevious: true,
    ...(everyMs === undefined ? {} : { everyMs }),
  });
  const reply = result.data as (PageReply & Record<string, Row[]>) | undefined;
  const rows = reply?.[items];
  const total = reply?.total_count ?? null;
  const go = (changes: Query) =>
    void navigate({ to: '.', search: ((old: Query) => clean({ ...old, ...withPrefix(changes, prefix) })) as never });
  const end = offset + (rows?.length ?? 0);
  const hasNext = total === null ? rows?.length === pageSize : end < total;
  return {
    rows,
    error: result.error,
    isLoading: result.isLoading,
    isFetching: result.isFetching,
    retry: () => void result.refetch(),
    filters,
    change: (next) => go({ ...next, offset: '' }),
    setFilters: (next) => go({ ...Object.fromEntries(names.map((name) => [name, ''])), ...next, offset: '' }),
    sorting: isSorted
      ? { value: search.sort ?? definition.defaultSort ?? '', set: (sort) => go({ sort, offset: '' }) }
      : undefined,
    offset,
    pageSize,
    total,
    totalIsMinimum: reply?.total_is_minimum === true,
    archivedBefore: reply?.archived_before,
    next: hasNext ? () => go({ offset: String(end) }) : undefined,
    previous: offset > 0 ? () => go({ offset: String(Math.max(0, offset - pageSize) || '') }) : undefined,
    query,
  };
}

const withPrefix = (query: Query, prefix: string): Query =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [prefix + name, value]));

const withoutPrefix = (query: Query, prefix: string): Query =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );

const clean = (query: Query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
