// npm run db:types: migrates an empty database and generates src/db/schema/generated.ts and sql/catalogue.txt from it.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import { CATALOGUE_FILE } from '../src/db/schema/catalogue.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { generateCatalogue, generateTypes, TYPES_FILE } from './db-types/generate.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'kissi-db-types-'));
// PostgreSQL does not run as root: the account it runs as must be able to enter.
await chmod(dataDir, 0o755);
const server = await startEmbeddedServer({ dataDir, report: () => undefined });
try {
  await migrate(server.url);
  await writeFile(TYPES_FILE, await generateTypes(server.url));
  await writeFile(CATALOGUE_FILE, await generateCatalogue(server.url));
  process.stdout.write(`${TYPES_FILE} and ${CATALOGUE_FILE} were written.\n`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
