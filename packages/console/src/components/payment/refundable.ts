// How much of a card payment can still be refunded.

interface Refundable {
  amount: number;
  related: readonly { type: string; amount: number }[];
}

export const remainsToRefund = ({ amount, related }: Refundable): number =>
  related.filter(({ type }) => type === 'pos_refund').reduce((rest, refund) => rest - refund.amount, amount);
