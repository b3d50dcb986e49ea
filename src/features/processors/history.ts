// The transaction history of a processor, and the totals over the same period.
import type { Actor } from '../../audit/log.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { commissionsIn, type TypeTotals } from '../../ledger/queries/totals.ts';
import { noSuchProcessor, otherProcessorRefusal } from '../../parties/processor.ts';
import type { AccountHistoryRequest, SummedHistory } from '../transactions/service.ts';
import type { ProcessorContext } from './context.ts';
import { RETURN_TYPE } from './payout-return.ts';
import { PAYOUT_TYPE } from './payouts.ts';
import { TRANSFER_TYPE } from './transfers.ts';

const REFUND_TYPE = 'pos_refund';

export function createHistory({ findProcessor, transactions }: ProcessorContext) {
  return async function history(
    actor: Actor,
    id: string,
    request: AccountHistoryRequest,
  ): Promise<SummedHistory | Refusal> {
    if (!(await findProcessor(id))) return noSuchProcessor();
    const refusal = otherProcessorRefusal(actor.caller, id);
    if (refusal) return refusal;
    return transactions.summedHistory(actor, id, request);
  };
}

/** They add up to balance_change. */
export function totalsOf(rows: TypeTotals[]) {
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
    paid_out: sum('amount', isPayout),
    payouts_returned: sum('amount', isReturnedPayout),
    balance_change: sum('change'),
  };
}

const everyRow = (_row: TypeTotals) => true;
const isTransferIn = ({ paid, type }: TypeTotals) => !paid && type === TRANSFER_TYPE;
const isReceipt = ({ paid, type }: TypeTotals) => !paid && type !== TRANSFER_TYPE && type !== RETURN_TYPE;
const isRefund = ({ paid, type }: TypeTotals) => paid && type === REFUND_TYPE;
const isTransferOut = ({ paid, type }: TypeTotals) => paid && type !== REFUND_TYPE && type !== PAYOUT_TYPE;
const isPayout = ({ paid, type }: TypeTotals) => paid && type === PAYOUT_TYPE;
const isReturnedPayout = ({ paid, type }: TypeTotals) => !paid && type === RETURN_TYPE;
