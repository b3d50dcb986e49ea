// Verifies where old master keys ended in the ledger: a key seals nothing after its closing.
import type { Connection } from '../../db/driver/connection.ts';
import {
  CLOSING_COLUMNS,
  type Closing,
  closingKeys,
  closingOf,
  isGenuine,
  type LedgerEnd,
} from '../../db/key-closings.ts';
import type { SealKey, SealKeys } from '../seals/format.ts';
import { type Findings, rowsOf } from './findings.ts';

export const KEY_RULES = {
  key_closing_differs: 'the seal under both keys that ended an old key was changed',
  key_closing_missing: 'an old key was retired, and the seal that ended it is missing',
  key_used_after_closing: 'something was sealed under an old key after the seal that ended it',
  key_unknown: 'the key that a seal names is not configured, so the seal could not be verified',
} as const;

const CLOSINGS = `select ${CLOSING_COLUMNS} from key_closings where chain = 'ledger' order by number`;

/** What seals may be made with, and until when. */
export class SealKeysInTime {
  private readonly findings: Findings;
  private readonly keys: SealKeys;
  private readonly ends = new Map<string, LedgerEnd>();
  private readonly noted = new Set<string>();

  constructor(findings: Findings, keys: SealKeys) {
    this.findings = findings;
    this.keys = keys;
  }

  async read(connection: Connection): Promise<void> {
    const genuine = closingKeys(this.keys.ring);
    let last = 0;
    for await (const row of rowsOf(connection, 'key_closings', CLOSINGS)) {
      const closing = closingOf(row as (string | null)[]) as Closing<LedgerEnd>;
      last += 1;
      if (closing.number !== last || !isGenuine(genuine, closing)) {
        this.findings.fault('key_closing_differs', `closing ${closing.number}`, `of the key ${closing.oldKey}`);
      }
      last = closing.number;
      this.ends.set(closing.oldKey, closing.content);
    }
  }

  get writing(): SealKey {
    return this.keys.writing;
  }

  /** The key by its id; null if it is not at hand, which is reported once. */
  find(id: string): SealKey | null {
    const key = this.keys.known(id);
    if (!key) this.once(`unknown ${id}`, () => this.findings.fault('key_unknown', `key ${id}`, 'configure it'));
    else this.checkOpen(id);
    return key ?? null;
  }

  /** A key that has not ended is the first one, or about to be replaced by it. */
  private checkOpen(id: string): void {
    const { ring } = this.keys;
    if (this.ends.has(id) || id === ring.first.id) return;
    this.once(`open ${id}`, () => {
      if (ring.isRetired(id)) this.findings.fault('key_closing_missing', `key ${id}`, 'it is retired');
      else this.findings.notice(`The key ${id} of MASTER_KEY still seals: npm run keys:rotate has not closed it.`);
    });
  }

  /** The key that matches, for what does not name its key; null if none does. */
  matching(matches: (key: SealKey) => boolean): SealKey | null {
    return this.keys.all.find(matches) ?? null;
  }

  /** `isBefore`: whether the closing covers what was sealed. */
  inTime(id: string, about: string, isBefore: (end: LedgerEnd) => boolean): void {
    const end = this.ends.get(id);
    if (end && !isBefore(end)) this.findings.fault('key_used_after_closing', about, `under the key ${id}`);
  }

  private once(what: string, report: () => void): void {
    if (!this.noted.has(what)) report();
    this.noted.add(what);
  }
}
