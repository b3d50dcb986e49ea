// Cursors of histories, as the service of the benchmarks writes them.
import { SECRETS } from '@kissi/testkit/service';
import { createVault } from '../src/auth/vault.ts';
import { createCursors } from '../src/features/transactions/cursor.ts';

export const { write: writeCursor } = createCursors(createVault(SECRETS.MASTER_KEY));
