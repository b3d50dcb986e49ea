// The doctor: runs all checks, and says what production still needs.
import { type Check, type Examined, type Finding, fail, LEVELS, type Level } from './check.ts';
import { CONFIGURATION_CHECKS } from './checks/configuration.ts';
import { CUSTOMER_CHECKS } from './checks/customers.ts';
import { DATABASE_CHECKS } from './checks/database.ts';
import { KEY_CHECKS } from './checks/keys.ts';
import { MONEY_CHECKS } from './checks/money.ts';
import { NETWORK_CHECKS } from './checks/network.ts';
import { RECOVERY_CHECKS } from './checks/recovery.ts';
import { STAFF_CHECKS } from './checks/staff.ts';

export const CHECKS: readonly Check[] = [
  ...CONFIGURATION_CHECKS,
  ...KEY_CHECKS,
  ...NETWORK_CHECKS,
  ...DATABASE_CHECKS,
  ...RECOVERY_CHECKS,
  ...STAFF_CHECKS,
  ...CUSTOMER_CHECKS,
  ...MONEY_CHECKS,
];

export interface Line extends Finding, Pick<Check, 'id' | 'area' | 'name'> {}

export interface Diagnosis {
  /** The worst level of all lines. */
  status: Level;
  checks: Line[];
}

export interface Doctor {
  examine(): Promise<Diagnosis>;
}

export function createDoctor(examined: Examined): Doctor {
  let running: Promise<Diagnosis> | null = null;
  return {
    /** Requests at the same time share one run. */
    examine() {
      running ??= diagnose(examined).finally(() => {
        running = null;
      });
      return running;
    },
  };
}

async function diagnose(examined: Examined): Promise<Diagnosis> {
  const checks: Line[] = [];
  // One after another: they share few connections.
  for (const { id, area, name, run } of CHECKS) {
    checks.push({ id, area, name, ...(await runSafely(run, examined)) });
  }
  return { status: worst(checks), checks };
}

/** What cannot be checked is not known to be right. */
async function runSafely(run: Check['run'], examined: Examined): Promise<Finding> {
  try {
    return await run(examined);
  } catch (error) {
    return fail(`This could not be checked: ${(error as Error).message}`, 'Remove the cause, and run it again.');
  }
}

function worst(lines: readonly Finding[]): Level {
  return LEVELS.findLast((level) => lines.some((line) => line.level === level)) ?? 'ok';
}
