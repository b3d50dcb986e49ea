// Receipts: opened by their link or by a party, signed when they are read, and withdrawn by staff.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Keys } from '../../kernel/key-ring.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { MovementDetails, MovementRecords } from '../../ledger/queries/movement-details.ts';
import type { PepProtection } from '../../parties/pep-payments.ts';
import { noSuchTransaction, type TransactionLookup } from '../transaction-details/service.ts';
import { hasReceipt, type ReceiptLinks } from './links.ts';
import { createReceiptView, type ReceiptContext, validUntil } from './receipt.ts';
import { createReceiptSigner, type SignedReceipt } from './signature.ts';
import { insertRevocation, isRevoked } from './store.ts';

export { createReceiptLinks, type ReceiptLinks } from './links.ts';

export interface ReceiptDependencies
  extends Omit<ReceiptContext, 'reader'>,
    Pick<PepProtection, 'pep' | 'pepPayments'> {
  database: Database;
  audit: AuditLog;
  clock: Clock;
  links: ReceiptLinks;
  records: Pick<MovementRecords, 'find' | 'followUpSums'>;
  lookup: Pick<TransactionLookup, 'movement'>;
  masterKey: Keys;
}

export type Receipts = ReturnType<typeof createReceipts>;

const REVOKE = 'receipt.revoke';

export function createReceipts(dependencies: ReceiptDependencies) {
  const { database, audit, clock, links, records, lookup, pep, pepPayments } = dependencies;
  const signer = createReceiptSigner(dependencies.masterKey);
  const view = createReceiptView({ ...dependencies, reader: database.reader });

  async function receiptOf(movement: MovementDetails): Promise<SignedReceipt> {
    const followUps = await records.followUpSums(movement.id);
    return signer.sign(await view(movement, { followUps, url: links.url(movement), now: clock.now() }));
  }

  async function isAboutPep(movement: MovementDetails): Promise<boolean> {
    const parties = (await pepPayments.partiesOf([movement])).get(movement.id) ?? [];
    const flags = await Promise.all(parties.filter((id) => id !== null).map(pep.isPep));
    return flags.includes(true);
  }

  /** By the transaction's id, for those who may read the transaction. */
  async function visible(actor: Actor, id: string): Promise<MovementDetails | Refusal> {
    const movement = await lookup.movement(actor, id);
    return movement instanceof Refusal || hasReceipt(movement.type) ? movement : noReceipt();
  }

  return {
    /** Every reason not to open is answered alike: the reply must not say whose payment it is. */
    async open(token: string): Promise<SignedReceipt | Refusal> {
      const found = await Promise.all(links.transactionIds(token).map((id) => records.find(id)));
      const movement = found.find((each) => each !== null);
      if (!movement || !hasReceipt(movement.type)) return notAvailable();
      if (clock.now() >= validUntil(movement.at).getTime()) return notAvailable();
      const [revoked, aboutPep] = await Promise.all([isRevoked(database.queries, movement.id), isAboutPep(movement)]);
      return revoked || aboutPep ? notAvailable() : receiptOf(movement);
    },

    async ofTransaction(actor: Actor, id: string): Promise<SignedReceipt | Refusal> {
      const movement = await visible(actor, id);
      return movement instanceof Refusal ? movement : receiptOf(movement);
    },

    /** For good. Again: nothing changes, and nothing is recorded. */
    async revoke(actor: Actor, id: string, reason: string): Promise<Refusal | null> {
      const movement = await visible(actor, id);
      if (movement instanceof Refusal) return movement;
      return database.transact(async (trx) => {
        const row = {
          transaction_id: id,
          reason,
          revoked_by: String(actor.caller.id),
          revoked_at: new Date(clock.now()),
        };
        if (!(await insertRevocation(trx, row))) return null;
        const about = { resourceType: 'transaction', resourceId: id, details: { reason } };
        await audit.record(trx, actor, { action: REVOKE, ...about });
        return null;
      });
    },

    keys: signer.keys,
  };
}

function notAvailable(): Refusal {
  return refuse('NOT_FOUND', 'This receipt is not available.');
}

function noReceipt(): Refusal {
  const { code } = noSuchTransaction();
  return refuse(code, 'A transaction of this type has no receipt.');
}
