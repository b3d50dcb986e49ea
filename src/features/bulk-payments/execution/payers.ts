// Who pays a bulk payment, as one side of each of its payments, and whether the payer may pay now.
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Hold } from '../../../ledger/holds/lookup.ts';
import { amountRefusal, noSuchPartner, partnerSide, partnerStatusRefusal } from '../../../parties/partner.ts';
import { noSuchProcessor, processorSide, processorStatusRefusal } from '../../../parties/processor.ts';
import { type Allowance, OPERATOR, type Side } from '../../../payments/plan.ts';
import { issuedToday, treasurySide } from '../../../payments/treasury.ts';
import { type BulkPayment, ROW_TYPES } from '../types.ts';
import type { ExecutionContext } from './context.ts';

export interface ReadyPayer {
  type: (typeof ROW_TYPES)[keyof typeof ROW_TYPES];
  /** Of the request ids of its rows. */
  scope: string;
  side: Side;
  allowances: readonly Allowance[];
  /** Null: one payment may have this amount. */
  amountRefusal(amount: number): Refusal | null;
}

type Context = Pick<
  ExecutionContext,
  'findProcessor' | 'findPartner' | 'treasuryAccount' | 'treasuryDailyLimit' | 'clock'
>;
type Paying = Pick<BulkPayment, 'payer_kind' | 'payer_id'>;

const ANY_AMOUNT = () => null;

/** `hold`: the one that pays; the treasury has several accounts. */
export function createPayers(context: Context) {
  const { findProcessor, findPartner, treasuryAccount, treasuryDailyLimit, clock } = context;
  const issued = issuedToday(treasuryDailyLimit, clock);

  /** `isSettling`: nothing more is paid, so that the payer may be suspended. */
  return async function readyPayer(
    { payer_kind: kind, payer_id: id }: Paying,
    hold: Hold | null,
    isSettling = false,
  ): Promise<ReadyPayer | Refusal> {
    const found = await sideOf(kind, id, hold);
    if (found instanceof Refusal) return found;
    const { refusal, ...ready } = found;
    if (refusal && !isSettling) return refusal;
    return { ...ready, type: ROW_TYPES[kind], side: { ...ready.side, retryWhenFrozen: true } };
  };

  async function sideOf(
    kind: Paying['payer_kind'],
    id: string,
    hold: Hold | null,
  ): Promise<(Omit<ReadyPayer, 'type'> & { refusal: Refusal | null }) | Refusal> {
    if (kind === 'treasury') {
      const side = treasurySide(hold?.account_id ?? treasuryAccount);
      return { scope: OPERATOR, side, allowances: [issued()], amountRefusal: ANY_AMOUNT, refusal: null };
    }
    if (kind === 'partner') {
      const partner = await findPartner(id);
      if (!partner) return noSuchPartner();
      const side = partnerSide(partner);
      const bounds = (amount: number) => amountRefusal(amount, partner);
      return { scope: id, side, allowances: [], amountRefusal: bounds, refusal: partnerStatusRefusal(partner) };
    }
    const processor = await findProcessor(id);
    if (!processor) return noSuchProcessor();
    const side = processorSide(processor);
    return { scope: id, side, allowances: [], amountRefusal: ANY_AMOUNT, refusal: processorStatusRefusal(processor) };
  }
}

/** Refusals that concern the payer: no further row can be paid. */
const OF_THE_PAYER = ['PROCESSOR_SUSPENDED', 'PARTNER_SUSPENDED', 'NOT_FOUND', 'EXPIRED', 'UNAUTHORIZED'];

export function stopsPayer({ code }: Pick<Refusal, 'code'>): boolean {
  return OF_THE_PAYER.includes(code);
}

export function holdExpired(): Refusal {
  return refuse('EXPIRED', 'The money of the bulk payment was held for 7 days after its start, which are over.');
}

export function changedRows(): Refusal {
  return refuse('FILE_MISMATCH', 'The rows are no longer those that were approved. They are not paid.');
}
