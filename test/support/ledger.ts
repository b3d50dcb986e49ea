// A ledger for tests, whose orders do not time out on a loaded machine, and the check that books are right.
import assert from 'node:assert/strict';
import { verifyBooks } from '../../src/app/verification.ts';
import { engineOf } from '../../src/ledger/posting/citus-engine.ts';
import { createLedger, type Ledger, type LedgerOptions } from '../../src/ledger/posting/ledger.ts';
import { sealKeys } from '../../src/ledger/seals/format.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import { TEST_SHARDS } from './citus.ts';
import { SECRETS } from './secrets.ts';

/** The actor of movements that tests post without a caller. */
export const TEST_ACTOR = { type: 'system', id: 'test' } as const;

const LONG_MS = 120_000;

/** Derived from the MASTER_KEY of test gateways. */
export const SEAL_KEYS = sealKeys(SECRETS.MASTER_KEY);

export function testLedger(options: Omit<LedgerOptions, 'sealKeys'>): Ledger {
  return createLedger({ timeoutMs: LONG_MS, sealKeys: SEAL_KEYS, engine: engineOf(TEST_SHARDS), ...options });
}

/** Runs `ledger:verify` on the database. */
export async function assertCleanBooks(url: string, masterKey: string = SECRETS.MASTER_KEY): Promise<void> {
  const books = await verifyBooks(url, masterKey);
  assert.ok(books.clean, reportOf(books));
}
