// Settings of the database and of what several processes share.
import { Type } from 'typebox';
import { acceptsWrites } from './checks.ts';
import { checkedText, integer, text } from './variable.ts';

export const databaseVariables = {
  DATA_DIR: text({
    default: './data',
    description: 'Directory for the embedded PostgreSQL and, in development, the generated secrets.',
  }),
  DATABASE_URL: Type.Optional(
    Type.Refine(
      checkedText((url) => /^postgres(ql)?:\/\//.test(url), 'must start with postgresql:// or postgres://.', {
        description:
          'PostgreSQL 15 or later to use instead of the embedded one. The user must not own the tables: outside development the service refuses to start as their owner. With several hosts (`postgresql://user:password@a:5432,b:5432/kissi?target_session_attrs=read-write`) the service finds the primary and follows it after a failover.',
      }),
      (url: string) => acceptsWrites(url),
      () => 'must have read-write or primary as its target_session_attrs: the service writes.',
    ),
  ),
  DATABASE_ADMIN_URL: Type.Optional(
    checkedText((url) => /^postgres(ql)?:\/\//.test(url), 'must start with postgresql:// or postgres://.', {
      description:
        'The login of the owner of the tables, for migrations. The user must be allowed to create tables, roles and the extension pg_trgm. If set, the service migrates at its start; if unset, `npm run db:migrate` does, and the service checks that the schema is current.',
    }),
  ),
  DATABASE_POOL_SIZE: integer(5, 1_000, {
    default: 24,
    description: 'Maximum number of database connections per process.',
  }),
  MAX_BATCH: integer(1, 2_048, {
    default: 256,
    description: 'Maximum number of movements that one gateway process posts in one transaction.',
  }),
  IDEMPOTENCY_DAYS: integer(7, 3_650, {
    default: 90,
    description:
      'How long the `request_id` of a payment is kept. A retry with the same id gets the original reply during this time; later it is a new payment. Partner references never expire.',
  }),
  HISTORY_MONTHS: integer(6, 1_200, {
    default: 24,
    description:
      'How many months of movements `npm run ledger:archive` leaves in the database. It archives whole quarters before that.',
  }),
  DATABASE_READ_URL: Type.Optional(
    checkedText((url) => /^postgres(ql)?:\/\//.test(url), 'must start with postgresql:// or postgres://.', {
      description:
        'Streaming replicas of the database (`postgresql://user:password@b:5432,c:5432/kissi`). Lists, histories, statements, searches, reports and exports read from one that has replayed all that was committed when the request arrived; otherwise from the primary.',
    }),
  ),
  REPLICA_MAX_LAG_MS: integer(0, 10_000, {
    default: 250,
    description:
      'How long a request waits for a replica to catch up before it reads from the primary, in milliseconds.',
  }),
  BACKUP_DIR: Type.Optional(
    text({
      description:
        'Directory in which each base backup of pg_basebackup has a directory of its own. `npm run doctor` reports the age of the newest one. Nothing else reads it.',
    }),
  ),
  REDIS_URL: Type.Optional(
    checkedText((url) => /^rediss?:\/\//.test(url), 'must start with redis:// or rediss://.', {
      description: 'Redis server that shares rate limits between several processes.',
    }),
  ),
};
