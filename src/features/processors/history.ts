// The transaction history of a processor, page by page, with totals over the same period.
import type { Actor } from '../../audit/log.ts';
import { readRange } from '../../http/date-range.ts';
import type { Page } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Sums, TypeTotals } from '../../ledger/queries/totals.ts';
import { noSuchProcessor, otherProcessorRefusal } from '../../parties/processor.ts';
import { type HistoryPage, includesCompleted } from '../transactions/service.ts';
import type { ProcessorContext } from './context.ts';
import { TRANSFER_TYPE } from './transfers.ts';

export interface HistoryRequest extends Page {
  type?: string;
  status?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

export interface ProcessorHistory extends HistoryPage {
  /** Totals of all matching records; null after the first page and while pending. */
  totals: Totals | null;
  /** The totals exceed the time limit of a request and are still being computed. */
  totalsPending: boolean;
}

export type Totals = ReturnType<typeof totalsOf>;

const REFUND_TYPE = 'pos_refund';
const NOTHING: Sums = { rows: [], complete: true };

export function createHistory({ findProcessor, transactions, totals }: ProcessorContext) {
  async function sums(accountId: string, { type, status, from, to }: HistoryRequest): Promise<Sums | Refusal> {
    const range = readRange({ from, to });
    if (range instanceof Refusal) return range;
    return includesCompleted(status) ? totals.byType({ accountId, ...range, ...(type ? { type } : {}) }) : NOTHING;
  }

  async function firstPage(actor: Actor, id: string, request: HistoryRequest): Promise<ProcessorHistory | Refusal> {
    const summed = await sums(id, request);
    if (summed instanceof Refusal) return summed;
    // The page ends at the newest summed record, so that page and totals cover the same records.
    const page = await transactions.accountHistory(actor, id, request, summed);
    if (page instanceof Refusal) return page;
    const { rows, complete } = summed;
    return { ...page, totals: complete ? totalsOf(rows) : null, totalsPending: !complete };
  }

  async function laterPage(actor: Actor, id: string, request: HistoryRequest): Promise<ProcessorHistory | Refusal> {
    const page = await transactions.accountHistory(actor, id, request, null);
    return page instanceof Refusal ? page : { ...page, totals: null, totalsPending: false };
  }

  return async function history(
    actor: Actor,
    id: string,
    request: HistoryRequest,
  ): Promise<ProcessorHistory | Refusal> {
    if (!(await findProcessor(id))) return noSuchProcessor();
    const refusal = otherProcessorRefusal(actor.caller, id);
    if (refusal) return refusal;
    return request.cursor === undefined ? firstPage(actor, id, request) : laterPage(actor, id, request);
  };
}

/**
 * Postings have no column for commissions: a commission is the balance change beyond the amount less the fee. The
 * totals therefore always add up to balance_change. Tests verify that commissions match the fee settings.
 */
function totalsOf(rows: TypeTotals[]) {
  const sum = (of: keyof Pick<TypeTotals, 'count' | 'amount' | 'fee' | 'change'>, which = everyRow) =>
    rows.filter(which).reduce((total, row) => total + row[of], 0);
  const [received, refunded, fees] = [sum('amount', isReceipt), sum('amount', isRefund), sum('fee')];
  const commissions = rows.reduce((total, { amount, fee, change, paid }) => {
    return total + change + fee + (paid ? amount : -amount);
  }, 0);
  return {
    count: sum('count'),
    received,
    received_count: sum('count', isReceipt),
    refunded,
    refunded_count: sum('count', isRefund),
    fees,
    commissions,
    net: received - refunded - fees + commissions,
    transferred_in: sum('amount', isTransferIn),
    transferred_out: sum('amount', isTransferOut),
    balance_change: sum('change'),
  };
}

const everyRow = (_row: TypeTotals) => true;
const isTransferIn = ({ paid, type }: TypeTotals) => !paid && type === TRANSFER_TYPE;
const isReceipt = ({ paid, type }: TypeTotals) => !paid && type !== TRANSFER_TYPE;
const isRefund = ({ paid, type }: TypeTotals) => paid && type === REFUND_TYPE;
const isTransferOut = ({ paid, type }: TypeTotals) => paid && type !== REFUND_TYPE;
