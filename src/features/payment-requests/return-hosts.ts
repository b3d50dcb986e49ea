// The hosts to which the page of a merchant's request may return the payer: a page elsewhere could pose as the shop.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchProcessor, otherProcessorRefusal, type PaidProcessor } from '../../parties/processor.ts';

interface ReturnHostsContext {
  database: Database;
  audit: AuditLog;
  findProcessor: Load<string, PaidProcessor | null>;
  clock: Clock;
  /** In development, pages may return payers to a shop on this machine by http. */
  returnsLocally: boolean;
}

export type ReturnHosts = ReturnType<typeof createReturnHosts>;

export function createReturnHosts({ database, audit, findProcessor, clock, returnsLocally }: ReturnHostsContext) {
  async function of(processorId: string): Promise<string[]> {
    const stored = database.queries.selectFrom('processor_return_hosts').select('hosts');
    return (await stored.where('processor_id', '=', processorId).executeTakeFirst())?.hosts ?? [];
  }

  async function accessRefusal({ caller }: Actor, id: string): Promise<Refusal | null> {
    return (await findProcessor(id)) ? otherProcessorRefusal(caller, id) : noSuchProcessor();
  }

  return {
    /** Null: the payee has registered the address's host. A customer has none. */
    async refusal(payeeId: string, address: string): Promise<Refusal | null> {
      return returnUrlRefusal(address, await of(payeeId), returnsLocally);
    },

    async list(actor: Actor, processorId: string): Promise<string[] | Refusal> {
      return (await accessRefusal(actor, processorId)) ?? of(processorId);
    },

    /** Replaces them. */
    async set(actor: Actor, processorId: string, named: readonly string[]): Promise<string[] | Refusal> {
      const refusal = await accessRefusal(actor, processorId);
      if (refusal) return refusal;
      const hosts = [...new Set(named.map((host) => host.toLowerCase()))].sort();
      const wrong = hosts.find((host) => !isHost(host));
      if (wrong !== undefined)
        return refuse('INVALID_REQUEST', `return_hosts: ${wrong} is not a host such as shop.example.com.`);
      const updated_at = new Date(clock.now());
      await database.transact(async (trx) => {
        const inserted = trx
          .insertInto('processor_return_hosts')
          .values({ processor_id: processorId, hosts, updated_at });
        await inserted.onConflict((row) => row.column('processor_id').doUpdateSet({ hosts, updated_at })).execute();
        const about = { resourceType: 'processor_return_hosts', resourceId: processorId, details: { hosts } };
        await audit.record(trx, actor, { action: 'processor.return_hosts', ...about });
      });
      return hosts;
    },
  };
}

/** A host, with a port if it is not 443, exactly as browsers write it. */
function isHost(host: string): boolean {
  const url = URL.parse(`https://${host}/`);
  return url !== null && url.host === host && url.pathname === '/' && url.username === '' && host.includes('.');
}

export function returnUrlRefusal(text: string, hosts: readonly string[], returnsLocally: boolean): Refusal | null {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (returnsLocally && url?.protocol === 'http:' && isLoopback(url));
  if (isSecure && url.username === '' && url.password === '' && hosts.includes(url.host)) return null;
  return refuse('INVALID_REQUEST', 'return_url must be https on one of the return hosts that the merchant registered.');
}

/** The machine that the browser runs on. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === '127.0.0.1';
}
