// A ledger for tests: its orders do not time out on a loaded machine.
import { createLedger, type Ledger, type LedgerOptions } from '../../src/ledger/posting/ledger.ts';

/** The actor of movements that tests post without a caller. */
export const TEST_ACTOR = { type: 'system', id: 'test' } as const;

const LONG_MS = 120_000;

export function testLedger(options: LedgerOptions): Ledger {
  return createLedger({ timeoutMs: LONG_MS, ...options });
}
