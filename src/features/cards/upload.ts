// Adds cards to stock from a CSV file as it arrives. Each batch and its audit entry are one transaction:
// a single transaction would occupy a connection for as long as the caller takes to send the file.
import type { Actor } from '../../audit/log.ts';
import type { FileChunks } from '../../http/upload.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { type CardContext, RESOURCE } from './context.ts';
import { type CardLine, columnsOf, type Fault, isBlank, type Line, LineSplitter, readCardLine } from './csv.ts';
import { addToStock } from './store.ts';

export interface UploadReport {
  total: number;
  created: number;
  skipped: number;
  /** Only the first faults; errorsTotal counts all. */
  errors: ({ line: number } & Fault)[];
  errorsTotal: number;
}

const BATCH_LINES = 1_000;
const MAX_ERRORS_SHOWN = 1_000;

export function createUpload({ database, audit, clock }: CardContext) {
  /** Returns the number of new cards. */
  async function store(actor: Actor, cards: CardLine[]): Promise<number> {
    return database.transact(async (trx) => {
      const created = await addToStock(trx, cards, new Date(clock.now()));
      if (created > 0) {
        const details = { created, skipped: cards.length - created };
        await audit.record(trx, actor, { action: 'card.upload', resourceType: RESOURCE, details });
      }
      return created;
    });
  }

  return async function upload(actor: Actor, file: FileChunks): Promise<UploadReport | Refusal> {
    const state = new UploadState();
    const { report } = state;

    async function flush(): Promise<void> {
      const batch = state.release();
      if (batch.length === 0) return;
      const created = await store(actor, batch);
      report.created += created;
      report.skipped += batch.length - created;
    }

    for await (const lines of linesOf(file)) {
      for (const line of lines) {
        if (!state.take(line)) return noHeader();
        if (state.full) await flush();
      }
    }
    if (!state.hasHeader) return noHeader();
    await flush();
    return report;
  };
}

/** State of an upload: the header, the valid lines not stored yet, and the counts. */
class UploadState {
  readonly report: UploadReport = { total: 0, created: 0, skipped: 0, errors: [], errorsTotal: 0 };
  private columns: number | null = null;
  private batch: CardLine[] = [];

  get hasHeader(): boolean {
    return this.columns !== null;
  }

  get full(): boolean {
    return this.batch.length >= BATCH_LINES;
  }

  /** False if the first line is not a valid header. */
  take(line: Line): boolean {
    if (this.columns === null) this.columns = columnsOf(line);
    else if (!isBlank(line)) this.read(line, this.columns);
    return this.hasHeader;
  }

  release(): CardLine[] {
    const { batch } = this;
    this.batch = [];
    return batch;
  }

  private read(line: Line, columns: number): void {
    const { report } = this;
    report.total += 1;
    const read = readCardLine(line, columns);
    if (!('error' in read)) {
      this.batch.push(read);
      return;
    }
    report.errorsTotal += 1;
    if (report.errors.length < MAX_ERRORS_SHOWN) report.errors.push({ line: line.number, ...read });
  }
}

/** Yields the lines of each chunk, then the rest; one promise per chunk instead of one per line. */
async function* linesOf(file: FileChunks): AsyncGenerator<Iterable<Line>> {
  const splitter = new LineSplitter();
  for await (const chunk of file) yield splitter.push(chunk);
  yield splitter.end();
}

function noHeader(): Refusal {
  return refuse('INVALID_REQUEST', 'The first line of the file must be the header: serial or serial,label.');
}
