// Cursors of histories, as the service of the benchmarks writes them.
import { createVault } from '../src/auth/vault.ts';
import { createCursors } from '../src/features/transactions/cursor.ts';

export const MASTER_KEY = 'bench-master-key-0123456789abcdefghijklmn';

export const { write: writeCursor } = createCursors(createVault(MASTER_KEY));
