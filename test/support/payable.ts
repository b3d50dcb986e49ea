// A stand-in for payment requests, for tests of their page: one can set what became of a request.
import type { PayablePayments, PayerView } from '../../src/features/payment-requests/service.ts';
import { type Refusal, refuse } from '../../src/kernel/refusal.ts';

export interface StandIn extends PayablePayments {
  /** A new request; returns its token. */
  ask(extra?: Partial<PayerView>): string;
  /** Changes the request of a token. */
  become(token: string, change: Partial<PayerView>): void;
  notices: { request: string; phone: string; visitor: string }[];
  /** What the next notice is refused with. */
  refuseNext(refusal: Refusal): void;
}

const QR =
  '00020101021226540010sl.kissi.m0136prq_01KJMMA2G01SASFW8ANAQNTTBC01045204541153039255407 1250.005802SL5912Lumley Grill6008Freetown6304ABCD';

export function payableStandIn(origin = 'https://pay.operator.test'): StandIn {
  const requests = new Map<string, PayerView>();
  let refused: Refusal | null = null;
  const notices: StandIn['notices'] = [];
  return {
    notices,
    refuseNext(refusal) {
      refused = refusal;
    },
    ask(extra = {}) {
      const number = String(requests.size + 1).padStart(4, '0');
      const token = `token-of-request-${number}`;
      requests.set(token, {
        ...{ id: `prq_01KJMMA2G01SASFW8ANAQN${number}`, status: 'open', amount: 125_000, currency: 'SLE' },
        ...{ payee_name: 'Lumley Beach Grill', description: 'Order 1042: dinner for four', reference: 'ORDER-1042' },
        ...{ code: `012345${number}`, ussd: `*715*0*012345${number}#`, qr: QR, url: `${origin}/pay/${token}` },
        ...{ single_use: true, return_url: 'https://shop.example/thanks?cart=7', transaction_ids: [] },
        expires_at: '2026-11-19T18:30:00.000Z',
        ...extra,
      });
      return token;
    },
    become(token, change) {
      const found = requests.get(token);
      if (found) requests.set(token, { ...found, ...change });
    },
    byToken: async (token) => requests.get(token) ?? refuse('NOT_FOUND', 'There is no such payment request.'),
    async notifyPayer(notice) {
      const refusal = refused;
      refused = null;
      if (!refusal) notices.push(notice);
      return refusal;
    },
  };
}
