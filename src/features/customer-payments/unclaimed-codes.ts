// Codes for people without a wallet: a bulk payment holds the money, and the code goes to the number by SMS.
import { DAY_MS, iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import { createCodeKeys } from './cash-out-code.ts';
import * as store from './code-store.ts';
import type { CustomerPaymentsContext } from './context.ts';

export interface UnclaimedCode {
  hold: Hold;
  /** E.164. */
  phone: string;
  payerName: string;
}

type Context = Pick<CustomerPaymentsContext, 'database' | 'messaging' | 'masterKey'>;

export function createUnclaimedCodes({ database, messaging, masterKey }: Context) {
  const { queries } = database;
  const keys = createCodeKeys(masterKey);

  return {
    /** Once per hold, however often it is tried. */
    async send({ hold, phone, payerName }: UnclaimedCode): Promise<void> {
      const { id, amount, at, expires_at } = hold;
      for (let counter = 0; !(await store.readCode(queries, id)); counter += 1) {
        const code = keys.derive(id, counter);
        const row = {
          // The codes of a number without a wallet are those of the number.
          ...{ hold_id: id, subscriber_id: phone, counter, code_hash: keys.hash(phone, code), key_id: keys.id },
          ...{ created_at: at, expires_at, void: false },
        };
        await database.transact(async (trx) => {
          if (!(await store.insertCode(trx, row))) return;
          const text = textOf({ code, amount, payerName, until: expires_at });
          const message = { to: phone, kind: 'unclaimed_payment', text, expiresAt: expires_at.getTime() };
          await messaging.send(trx, message);
        });
      }
      messaging.wake();
    },
  };
}

interface CodeText {
  code: string;
  amount: number;
  payerName: string;
  until: Date;
}

function textOf({ code, amount, payerName, until }: CodeText): string {
  const lastDay = iso(until.getTime() - DAY_MS).slice(0, 'YYYY-MM-DD'.length);
  return `${payerName} sends you ${formatMoney(amount)}. Show an agent this code and your ID by ${lastDay}: ${code}. Give it to nobody else.`;
}
