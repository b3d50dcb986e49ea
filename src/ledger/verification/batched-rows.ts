// Reads the rows of sealed tables batch by batch, and reports rows whose batch has no seal.
import type { Connection } from '../../db/driver/connection.ts';
import { batchNumber, chainOf } from '../seals/format.ts';
import { type Findings, type Row, rowsOf } from './findings.ts';

/** The chain and the number in it. */
export const nameOf = (batch: number) => `${chainOf(batch)}/${batch - batchNumber(chainOf(batch), 0)}`;

/** The rows of one table, in the order of batches; the batch is the first column. */
export class BatchedRows {
  private readonly rows: AsyncGenerator<Row>;
  private readonly findings: Findings;
  private readonly table: string;
  private next: IteratorResult<Row> | null = null;

  constructor(connection: Connection, findings: Findings, table: string, text: string) {
    this.rows = rowsOf(connection, `sealed_${table}`, text);
    this.findings = findings;
    this.table = table;
  }

  /** Without the batch. Rows of earlier batches have no seal. */
  async take(batch: number): Promise<Row[]> {
    const found: Row[] = [];
    this.next ??= await this.rows.next();
    while (!this.next.done && Number(this.next.value[0]) <= batch) {
      const [of, ...row] = this.next.value;
      if (Number(of) === batch) found.push(row);
      else this.orphan(Number(of), row);
      this.next = await this.rows.next();
    }
    return found;
  }

  async end(): Promise<void> {
    await this.take(Number.MAX_SAFE_INTEGER);
  }

  private orphan(batch: number, row: Row): void {
    this.findings.fault('seal_missing', `batch ${nameOf(batch)}`, `${this.table} ${row[0]} names it`);
  }
}
