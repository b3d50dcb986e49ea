// Sends transfers to wallets. A transfer is in the ledger before it is sent, and is sent again until its outcome is known.
import { type Kissi, KissiError, KissiRefusalError } from '@kissi/client';
import type { Ledger, Order, Transfer } from './ledger.ts';

export function createTransfers(kissi: Kissi, ledger: Ledger) {
  async function send({ reference, msisdn, amount, narration }: Transfer): Promise<Transfer> {
    try {
      // With the same reference and details Kissi credits once, however often this is called.
      const { data } = await kissi.inbound.credit({ reference, msisdn, amount, narration });
      ledger.settle(reference, { status: 'COMPLETED', transaction_id: data.transaction_id });
    } catch (error) {
      if (!(error instanceof KissiError)) throw error;
      // Only a refusal says that nothing was credited. After any other error the transfer is sent again later.
      if (error instanceof KissiRefusalError) {
        ledger.settle(reference, { status: 'FAILED', failure_code: error.code });
      } else {
        process.stderr.write(`${reference} is not settled: ${error.code}\n`);
      }
    }
    return ledger.find(reference) as Transfer;
  }

  return {
    async transfer(order: Order): Promise<Transfer | { refused: string }> {
      // The teller sees the name, and learns before the debit whether the wallet can be credited.
      const { data } = await kissi.inbound.enquireName({ msisdn: order.msisdn });
      if (!data.can_credit) return { refused: `the wallet of ${data.account_name} cannot be credited` };
      return send(ledger.begin(order));
    },

    /** Transfers that the bank did not see the end of, for example because it was stopped. */
    async resume(): Promise<Transfer[]> {
      const sent: Transfer[] = [];
      for (const transfer of ledger.unsettled()) sent.push(await send(transfer));
      return sent;
    },
  };
}
