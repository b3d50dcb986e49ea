// A gateway process under the supervisor: starts a gateway when told to, and stops when told to.
import cluster from 'node:cluster';
import type { Socket } from 'node:net';
import { type Environment, loadConfig } from '../../kernel/config/config.ts';
import { explain } from '../explain.ts';
import { type RunningService, type StartOptions, start } from '../start.ts';
import { Channel } from './channel.ts';
import type { StartOrder, StartReply } from './gateway-process.ts';
import type { CacheName, Siblings } from './siblings.ts';

const COUNT_TIMEOUT_MS = 1_000;
const COLLECT_TIMEOUT_MS = 3_000;
const LAST_COUNTS_TIMEOUT_MS = 1_000;
/** Connections that stay idle for this long are then closed. */
const DRAIN_MS = 5_000;
/** Without its supervisor, a gateway that does not stop ends after this time. */
const ORPHAN_MS = 15_000;

/** `env`: the supervisor's environment, already checked. */
export function runGatewayProcess(env: Environment, options: Pick<StartOptions, 'manualTasks'> = {}): void {
  const caches = new Map<CacheName, () => void>();
  let service: RunningService | null = null;
  const stop = async () => {
    await service?.stop();
    if (service) await reportLastCounts(service).catch(() => undefined);
    process.exit();
  };
  const port = {
    send: (message: unknown) => void (process.connected && process.send?.(message)),
    listen: (receive: (message: unknown, socket?: Socket) => void) =>
      void process.on('message', (message, socket) => receive(message, socket as Socket | undefined)),
  };
  const supervisor = new Channel(port, {
    async start(order: StartOrder): Promise<StartReply> {
      try {
        service = await startGateway(order);
      } catch (error) {
        return { failure: explain(error) };
      }
      const { servesDocs, webPages, firstAdmin } = service;
      return { servesDocs, webPages, firstAdmin };
    },
    /** The reply leaves before anything is read from the connection. Without a socket the client has gone. */
    connection(_data: null, socket?: Socket): true {
      if (socket) service?.serve(socket);
      return true;
    },
    stop: () => void stop(),
    drain: () => void service?.drain(DRAIN_MS).then(stop),
    snapshot: () => service?.metrics.snapshot(),
    changed: (cache: CacheName) => caches.get(cache)?.(),
  });
  // Ctrl-C reaches the whole group of processes: the supervisor decides when each gateway stops.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  // The supervisor is gone, and with it the embedded PostgreSQL: requests in flight are finished if they can be.
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), ORPHAN_MS).unref();
    void stop();
  });
  // Otherwise node:cluster would end the process at once.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  // The supervisor no longer accepts messages.
  process.on('error', () => undefined);

  /** Includes all requests that were finished before the stop. */
  async function reportLastCounts({ metrics }: RunningService): Promise<void> {
    if (!process.connected) return;
    await supervisor.call('counts', await metrics.counts(), { timeoutMs: LAST_COUNTS_TIMEOUT_MS });
  }

  function startGateway({ index, count, database, createsFirstAdmin }: StartOrder): Promise<RunningService> {
    process.title = `kissi gateway ${index}`;
    const siblings: Siblings = {
      ...{ index, count },
      countRequests: (requests) => supervisor.call('count', requests, { timeoutMs: COUNT_TIMEOUT_MS }),
      tellChanged: (cache) => supervisor.tell('changed', cache),
      onChanged: (cache, forget) => void caches.set(cache, forget),
      collectMetrics: () => supervisor.call('collect', null, { timeoutMs: COLLECT_TIMEOUT_MS }),
    };
    return start(loadConfig(env), { ...options, supervised: { siblings, database, createsFirstAdmin } });
  }
}
