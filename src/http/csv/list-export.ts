// Exports a list as CSV: calls the handler of the list page by page, so that filters, permissions and masking are the same.
import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { iso } from '../../kernel/clock.ts';
import { fromHere } from '../../kernel/read-context.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Call, type Endpoint, type Reply, streamed } from '../endpoint.ts';
import { EXPORT_PAGE, type Page } from '../paging.ts';
import { inLeones } from './amounts.ts';
import { csvHeader, csvLines, type ListRecord } from './csv-text.ts';
import type { Exports, RunningExport } from './exports.ts';
import { type ExportedList, exportedList } from './list.ts';
import { prefersCsv } from './negotiation.ts';
import { parseExactly } from './parse-exactly.ts';
import { parametersOf, recordedFilter } from './recorded-filter.ts';

/** Where a page begins: the previous page's cursor, or the key of its last record. Null for the first page. */
type Position = string | null;

interface ListPage {
  records: ListRecord[];
  /** Null: this is the last page. */
  next: Position;
  /** Records before this instant are archived, and not in the list. Null: it has all records. */
  archivedBefore: string | null;
}

interface ExportedPages {
  first: ListPage;
  running: RunningExport;
  nextPage(after: Position): Promise<ListPage>;
}

/** Null if the endpoint returns no list. */
export function listExport(endpoint: Endpoint, exports: Exports): ListExport | null {
  const list = exportedList(endpoint);
  return list && new ListExport(endpoint, list, exports);
}

export class ListExport {
  private readonly endpoint: Endpoint;
  private readonly list: ExportedList;
  private readonly exports: Exports;

  constructor(endpoint: Endpoint, list: ExportedList, exports: Exports) {
    this.endpoint = endpoint;
    this.list = list;
    this.exports = exports;
  }

  isRequestedBy({ headers }: FastifyRequest): boolean {
    return prefersCsv(headers.accept);
  }

  /** The first page is read before the reply begins, so that its refusal is a normal reply. */
  async open(call: Call, reply: FastifyReply): Promise<Reply | Refusal> {
    const running = this.exports.enter(call);
    if (running instanceof Refusal) return running;
    finished(reply.raw, () => running.end());
    const first = await this.page(call, reply, null);
    // The stream asks for the other pages: they come from where the first one came from.
    const fromSameServer = fromHere();
    if (first instanceof Refusal) return first;
    const headers = this.headers(first);
    if (reply.request.method === 'HEAD') return { status: 200, body: '', headers };
    const path = reply.request.url.split('?', 1)[0] ?? '';
    const { socket } = reply.raw;
    await running.begin({ path, filter: recordedFilter(this.endpoint, call) }, () => socket?.resetAndDestroy());
    const nextPage = (after: Position) => fromSameServer(() => this.nextPage(call, reply, after));
    return streamed(this.chunks({ first, running, nextPage }), headers);
  }

  private async *chunks({ first, running, nextPage }: ExportedPages): AsyncGenerator<string> {
    try {
      let text = csvHeader(this.list.columns);
      for (let page = first; ; page = await nextPage(page.next)) {
        text += csvLines(page.records.map(inLeones), this.list.columns);
        running.rows += page.records.length;
        if (page.next === null) await running.complete();
        running.waitForClient();
        yield text;
        running.clientContinued();
        if (page.next === null) return;
        text = '';
      }
    } catch (error) {
      running.interrupt('failed');
      throw error;
    }
  }

  /** A refusal after the first page, for example because the subscriber became a PEP, ends the export. */
  private async nextPage(call: Call, reply: FastifyReply, position: Position): Promise<ListPage> {
    const page = await this.page(call, reply, position);
    if (page instanceof Refusal) throw new Error(`a page of the export was refused: ${page.code}`);
    if (page.next !== null && page.next === position) throw new Error("the list's pages do not advance");
    return page;
  }

  /** Made from the JSON reply, so that both have the same fields. */
  private async page(call: Call, reply: FastifyReply, position: Position): Promise<ListPage | Refusal> {
    const outcome = await this.endpoint.handle(this.callFor(call, position));
    if (outcome instanceof Refusal) return outcome;
    const json = outcome.json ?? reply.serializeInput(outcome.body as ListRecord, '200');
    const body = parseExactly(json as string) as ListRecord;
    const records = this.list.recordsOf(body);
    const archivedBefore = (body.archived_before as string | undefined) ?? null;
    return { records, next: this.nextPosition(body, records), archivedBefore };
  }

  private nextPosition(body: ListRecord, records: ListRecord[]): Position {
    const { paging, key } = this.list;
    if (paging === 'cursor') return (body.next_cursor as string | null | undefined) ?? null;
    const last = paging === 'none' || records.length < this.exports.limits.pageSize ? undefined : records.at(-1);
    return last ? String(last[key]) : null;
  }

  /** limit, offset and cursor of the client do not apply: an export has all records of the filter. */
  private callFor(call: Call, position: Position): Call {
    if (this.list.paging === 'none') return call;
    const page: Page = { limit: this.exports.limits.pageSize, offset: 0, after: position };
    const { cursor: _cursor, ...filter } = parametersOf(call);
    const follows = this.list.paging === 'cursor' && position !== null;
    const parameters = { ...filter, ...(follows ? { cursor: position } : {}), [EXPORT_PAGE]: page };
    return this.endpoint.body ? { ...call, body: parameters } : { ...call, query: parameters };
  }

  /** A file that lacks archived records says so in its name, and in a header for programs. */
  private headers({ archivedBefore }: ListPage): Record<string, string> {
    const at = iso(this.exports.clock.now()).slice(0, 19).replaceAll(':', '-');
    const since = archivedBefore === null ? '' : `since-${archivedBefore.slice(0, 'YYYY-MM-DD'.length)}-`;
    const name = this.endpoint.path.replaceAll(/:\w+/g, '').split('/').filter(Boolean).join('-');
    return {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="kissi-${name}-${since}${at}.csv"`,
      ...(archivedBefore === null ? {} : { 'archived-before': archivedBefore }),
    };
  }
}
