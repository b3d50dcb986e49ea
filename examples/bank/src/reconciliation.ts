// Compares the bank's ledger with Kissi's, transfer by transfer, and corrects the bank's where a webhook was missed.
import { type Kissi, KissiRefusalError } from '@kissi/client';
import type { Ledger, Transfer } from './ledger.ts';

export interface Difference {
  reference: string;
  /** In minor units, as each side recorded it. */
  bank: number;
  kissi: number;
}

export interface Report {
  matched: number;
  /** References whose status at Kissi had not reached the bank. */
  corrected: string[];
  differences: Difference[];
  /** What the bank's customers paid and what the bank owes Kissi for the same transfers. Minor units. */
  paid: number;
  owed: number;
}

export async function reconcile(kissi: Kissi, ledger: Ledger): Promise<Report> {
  const transfers = ledger.transfers();
  const credited = await creditsByReference(kissi, transfers[0]);
  const corrected: string[] = [];
  for (const transfer of transfers) {
    if (creditOf(transfer) === (credited.get(transfer.reference) ?? 0)) continue;
    if (await correct(kissi, ledger, transfer)) corrected.push(transfer.reference);
  }
  const own = new Map(ledger.transfers().map((transfer) => [transfer.reference, creditOf(transfer)]));
  const rows = [...new Set([...own.keys(), ...credited.keys()])].map((reference) => ({
    reference,
    bank: own.get(reference) ?? 0,
    kissi: credited.get(reference) ?? 0,
  }));
  const differences = rows.filter((row) => row.bank !== row.kissi);
  const owed = rows.reduce((sum, row) => sum + row.kissi, 0);
  return { matched: rows.length - differences.length, corrected, differences, paid: ledger.paid(), owed };
}

/** A transfer that failed or was reversed credited nothing in the end. */
const creditOf = ({ status, amount }: Transfer) => (status === 'COMPLETED' ? amount : 0);

/** Since the day of the bank's first transfer. A reversal has its credit's reference and the opposite direction. */
async function creditsByReference(kissi: Kissi, first: Transfer | undefined): Promise<Map<string, number>> {
  const credits = new Map<string, number>();
  if (!first) return credits;
  for await (const { reference, direction, amount } of kissi.partner.transactions({
    from: first.created_at.slice(0, 10),
  })) {
    if (reference === null) continue;
    const change = direction === 'debit' ? amount : -amount;
    credits.set(reference, (credits.get(reference) ?? 0) + change);
  }
  return credits;
}

/** The credit's status is authoritative. False: Kissi does not know the reference, or the status is the same. */
async function correct(kissi: Kissi, ledger: Ledger, { reference, status }: Transfer): Promise<boolean> {
  try {
    const { data } = await kissi.inbound.get(reference);
    if (data.status === 'PROCESSING') return false;
    ledger.settle(reference, { ...data, status: data.status === 'REJECTED' ? 'FAILED' : data.status });
  } catch (error) {
    if (!(error instanceof KissiRefusalError && error.status === 404)) throw error;
  }
  return ledger.find(reference)?.status !== status;
}
