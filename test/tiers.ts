// Assigns every test file to exactly one tier: unit, standard or slow.
import { matchesGlob } from 'node:path';

/** `npm run test:unit` runs unit, `npm test` unit and standard, `npm run test:slow` slow. */
export type Tier = 'unit' | 'standard' | 'slow';

/** Where test files are searched for. A file in a directory that has no tier fails test/runner/tiers.test.ts. */
export const TEST_FILES = '{src,packages,test,scripts,bench}/**/*.test.ts';

const DIRECTORIES: Record<string, Tier> = {
  'src/**': 'unit',
  'packages/*/src/**': 'unit',
  'packages/*/test/**': 'slow',
  'test/*': 'standard',
  'test/api/**': 'standard',
  'test/attacks/**': 'standard',
  'test/audit/**': 'standard',
  'test/auth/**': 'standard',
  'test/browser/**': 'slow',
  'test/db/**': 'standard',
  'test/drills/**': 'slow',
  'test/examples/**': 'standard',
  'test/faults/**': 'standard',
  'test/guides/**': 'slow',
  'test/hostile/**': 'slow',
  'test/http/**': 'standard',
  'test/ledger/**': 'standard',
  'test/load/**': 'unit',
  'test/runner/**': 'unit',
  'test/service/**': 'slow',
  'test/timing/**': 'slow',
  'test/vectors/**': 'unit',
  'test/webhooks/**': 'standard',
};

/** Files whose tier differs from that of their directory. */
export const EXCEPTIONS: Record<string, Tier> = {
  'packages/client/test/calls.test.ts': 'standard',
  'packages/client/test/schemes.test.ts': 'standard',
  'packages/console/test/size.test.ts': 'unit',
  'packages/console/test/words.test.ts': 'unit',
  'src/db/driver/binary-arrays.test.ts': 'standard',
  'src/db/driver/columns.test.ts': 'standard',
  'test/attacks/windows-fuzz.test.ts': 'unit',
  'test/api/gateway/csv-memory.test.ts': 'slow',
  'test/auth/service.test.ts': 'unit',
  'test/browser/console/played.test.ts': 'unit',
  'test/demo-payments.test.ts': 'unit',
  'test/descriptions.test.ts': 'unit',
  'test/documents.test.ts': 'unit',
  'test/faults/auditor.test.ts': 'unit',
  'test/faults/long.test.ts': 'slow',
  'test/hostile/checks.test.ts': 'unit',
  'test/hostile/owned-keys.test.ts': 'standard',
  'test/http/openapi-security.test.ts': 'unit',
  'test/repository.test.ts': 'unit',
  'test/runner/limits.test.ts': 'standard',
  'test/runtime.test.ts': 'unit',
  'test/style.test.ts': 'unit',
  'test/timing/compare.test.ts': 'unit',
};

/** Long files start first, the longest before the others, so that a run does not end with one of them alone. */
export const FIRST: string[] = [
  'test/browser/console/every-screen.test.ts',
  'test/service/lifecycle.test.ts',
  'test/browser/console/payment-forms.test.ts',
  'test/ledger/tampering.test.ts',
  'test/faults/long.test.ts',
  'test/browser/console/network.test.ts',
  'test/browser/console/customers.test.ts',
  'test/browser/console/session.test.ts',
  'test/browser/console/merchant-money.test.ts',
  'test/browser/public-pages.test.ts',
  'test/browser/console/administration.test.ts',
  'test/service/demo.test.ts',
  'test/api/access/permissions.test.ts',
  'test/api/gateway/csv-memory.test.ts',
  'test/browser/console/finance.test.ts',
  'test/timing/secrets.test.ts',
  'test/browser/console/copy-curl.test.ts',
  'test/browser/console/own-logins.test.ts',
  'test/browser/console/lock.test.ts',
  'test/service/gateways.test.ts',
  'test/browser/console/compliance.test.ts',
  'test/browser/console/approvals.test.ts',
  'test/hostile/hostile.test.ts',
  'test/timing/bank-statements.test.ts',
  'test/browser/console/counter.test.ts',
  'test/browser/console/partners.test.ts',
  'test/ledger/simulator.test.ts',
  'test/guides/integrators.test.ts',
  'test/openapi-lint.test.ts',
  'test/documents.test.ts',
];

/**
 * Files that measure waiting times, or that make roles of the shared server, which verification in other files would
 * report: each runs alone, after the others.
 */
export const ALONE: string[] = [
  'test/db/database-login.test.ts',
  'test/ledger/catalogue-rights.test.ts',
  'test/timing/body-cpu-time.test.ts',
  'test/timing/busy-account.test.ts',
  'test/timing/database-unavailable.test.ts',
  'test/timing/login.test.ts',
  'test/timing/parsers.test.ts',
  'test/timing/webhook-attempts.test.ts',
];

/** Files that change or measure their process, or that replace its modules: each has its own process. */
export const OWN_PROCESS: string[] = [
  'test/api/cards/upload.test.ts',
  'test/api/gateway/csv-memory.test.ts',
  'test/http/csv-exports.test.ts',
  'test/http/late-bodies.test.ts',
  'test/http/resource-exhaustion.test.ts',
  'test/ledger/simulator.test.ts',
];

/** Other files of the unit and standard tiers, and those with a browser, run one after another in a few processes. */
export function sharesProcess(path: string): boolean {
  if (OWN_PROCESS.includes(path)) return false;
  if (path.startsWith('test/browser/')) return true;
  const isShared =
    /^(src|packages\/client|test\/(api|attacks|auth|db|http|ledger|webhooks|vectors|load|runner\/fixtures\/shared))\//.test(
      path,
    );
  return isShared && !tiersOf(path).includes('slow');
}

/** The tiers that the rules give a file: exactly one, or the rules are wrong. */
export function tiersOf(path: string): Tier[] {
  const exception = EXCEPTIONS[path];
  if (exception) return [exception];
  return Object.entries(DIRECTORIES).flatMap(([pattern, tier]) => (matchesGlob(path, pattern) ? [tier] : []));
}
