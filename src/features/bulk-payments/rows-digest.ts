// A digest over what a bulk payment's rows say about who gets what. The audit log has it from the upload, so that rows that were
// changed in the database before they are paid do not match it.
import { createHash } from 'node:crypto';
import type { BulkRow } from './types.ts';

export type DigestedRow = Pick<BulkRow, 'line' | 'reference' | 'phone_number' | 'account_number' | 'amount'>;

export class RowsDigest {
  private readonly hash = createHash('sha256');

  /** In the order of their lines. */
  add({ line, reference, phone_number, account_number, amount }: DigestedRow): void {
    this.hash.update(`${JSON.stringify([line, reference, phone_number, account_number, amount])}\n`);
  }

  end(): Buffer {
    return this.hash.digest();
  }
}
