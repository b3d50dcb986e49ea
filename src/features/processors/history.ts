// The transaction history of a processor, page by page, with totals over the same period.
import type { Actor } from '../../audit/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { commissionsIn, type TypeTotals } from '../../ledger/queries/totals.ts';
import { noSuchProcessor, otherProcessorRefusal } from '../../parties/processor.ts';
import type { AccountHistoryRequest, HistoryPage } from '../transactions/service.ts';
import type { ProcessorContext } from './context.ts';
import { TRANSFER_TYPE } from './transfers.ts';

export interface ProcessorHistory extends HistoryPage {
  /** Totals of all matching records; null after the first page and while pending. */
  totals: Totals | null;
  /** The totals exceed the time limit of a request and are still being computed. */
  totalsPending: boolean;
}

export type Totals = ReturnType<typeof totalsOf>;

const REFUND_TYPE = 'pos_refund';

export function createHistory({ findProcessor, transactions }: ProcessorContext) {
  return async function history(
    actor: Actor,
    id: string,
    request: AccountHistoryRequest,
  ): Promise<ProcessorHistory | Refusal> {
    if (!(await findProcessor(id))) return noSuchProcessor();
    const refusal = otherProcessorRefusal(actor.caller, id);
    if (refusal) return refusal;
    const found = await transactions.summedHistory(actor, id, request);
    if (found instanceof Refusal) return found;
    const { sums, sumsPending, ...page } = found;
    return { ...page, totals: sums && totalsOf(sums), totalsPending: sumsPending };
  };
}

/** They add up to balance_change. */
function totalsOf(rows: TypeTotals[]) {
  const sum = (of: keyof Pick<TypeTotals, 'count' | 'amount' | 'fee' | 'change'>, which = everyRow) =>
    rows.filter(which).reduce((total, row) => total + row[of], 0);
  const [received, refunded, fees] = [sum('amount', isReceipt), sum('amount', isRefund), sum('fee')];
  const commissions = commissionsIn(rows);
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
