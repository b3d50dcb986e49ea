// A ledger for tests: its orders do not time out on a loaded machine.
import { createLedger, type Ledger, type LedgerOptions } from '../../src/ledger/posting/ledger.ts';

const LONG_MS = 120_000;

export function testLedger(options: LedgerOptions): Ledger {
  return createLedger({ timeoutMs: LONG_MS, ...options });
}
