// The mornings of finance: yesterday's statements, the reconciliation and the daily close. The last one is left to the user.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '@kissi/testkit/random';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import type { Demo } from '../country.ts';
import type { HistoryDay } from '../incidents.ts';
import type { Planned } from '../payments.ts';
import { type Json, must } from '../runtime/client.ts';
import { isoDay, TRUST_ACCOUNTS } from './bank-book.ts';
import { payOutMerchants, returnFloat } from './deposits.ts';
import { CHARGE, differencesOf } from './differences.ts';

/** A close reads the previous day's balances, and pay-outs leave the merchants enough for their refunds. */
const INDEPENDENT = { isIndependent: true } as const;
/** In the data folder. */
const WAITING = 'statements';

const finance = (demo: Demo) => demo.session('finance@kissi.example');

export async function registerTrustAccounts(demo: Demo): Promise<void> {
  for (const { name, bank, accountNumber } of TRUST_ACCOUNTS) {
    const body = { name, bank, account_number: accountNumber, currency: 'SLE' };
    const { trust_account } = await must(finance(demo).call('POST', '/admin/trust-accounts', body), name);
    demo.country.trustAccounts.push({ id: trust_account.id, bank });
  }
}

export function financeOf(demo: Demo, random: Random, { start, day, days }: HistoryDay): Planned[] {
  const at = (hour: number, run: Planned['run']): Planned => ({ at: start + hour * HOUR_MS, run });
  async function run(): Promise<void> {
    await payOutMerchants(demo, day);
    if (day > 0 && day < days - 1) await closeYesterday(demo, start - DAY_MS, day < days - 5);
  }
  return [
    { ...at(7.5, run), ...INDEPENDENT },
    ...(day % 10 === 6 ? [at(12.5, () => returnFloat(demo, random))] : []),
    ...differencesOf(demo, { start, day, days }),
  ];
}

/** `tidies`: finance also decides on what the run leaves. */
async function closeYesterday(demo: Demo, yesterday: number, tidies: boolean): Promise<void> {
  const files = demo.bankBook.statementsOf(yesterday);
  for (const [account, { id }] of demo.country.trustAccounts.entries()) {
    const file = files[account];
    if (file) await must(finance(demo).upload(`/admin/trust-accounts/${id}/statements`, file), file.name);
  }
  const { run } = await must(finance(demo).call('POST', '/admin/reconciliation/run'), 'reconciliation');
  if (tidies && run.suggested > 0) await acceptSuggestions(demo);
  if (tidies && demo.bankBook.has(yesterday, CHARGE)) await writeOffCharges(demo);
  const date = isoDay(yesterday);
  await must(finance(demo).call('POST', '/admin/closes', { date }), `close of ${date}`);
}

async function acceptSuggestions(demo: Demo): Promise<void> {
  const { suggestions } = await must(finance(demo).call('GET', '/admin/reconciliation/suggestions'), 'suggestions');
  for (const { id } of suggestions) {
    const note = { note: "Confirmed by the bank's branch" };
    await must(finance(demo).call('POST', `/admin/reconciliation/suggestions/${id}/accept`, note), 'suggestion');
  }
}

async function writeOffCharges(demo: Demo): Promise<void> {
  const path = '/admin/reconciliation?side=bank&status=unmatched&limit=100';
  const { items } = await must(finance(demo).call('GET', path), 'open entries');
  const ids = items.filter(({ description }: Json) => description.startsWith(CHARGE)).map(({ id }: Json) => id);
  const body = { bank_entry_ids: ids, reason: 'Bank charges, paid by the operator' };
  await must(finance(demo).call('POST', '/admin/reconciliation/write-offs', body), 'write-off');
}

/** Yesterday's statements, for the user to upload. */
export async function leaveStatements(demo: Demo, dataDir: string, yesterday: number): Promise<void> {
  const folder = join(dataDir, WAITING);
  await mkdir(folder, { recursive: true });
  for (const [account, file] of demo.bankBook.statementsOf(yesterday).entries()) {
    const trustAccount = demo.country.trustAccounts[account];
    if (!file || !trustAccount) continue;
    const path = join(folder, file.name);
    await writeFile(path, file.text);
    trustAccount.waiting = { path, mediaType: file.mediaType };
  }
}
