// Runs several gateway processes behind one port: prepares the database, starts them, replaces one that ends, restarts
// them one by one on SIGHUP, and stops them. It serves no request itself.
import cluster from 'node:cluster';
import { type Collected, Counts, type ReadFamily } from '../../features/metrics/service.ts';
import { createLoggers, type Logger } from '../../http/log.ts';
import { LimitCounter } from '../../http/shared-limits.ts';
import type { Config } from '../../kernel/config/config.ts';
import { singleFlight } from '../../kernel/metrics.ts';
import { GatewayFailed } from '../explain.ts';
import { completeSecrets } from '../secrets.ts';
import { type Announced, closeLogged, findDatabase, Opened, type PreparedDatabase } from '../start.ts';
import { Connections } from './connections.ts';
import { type Exit, GatewayProcess, type Started } from './gateway-process.ts';
import { supervisorMetrics } from './metrics.ts';
import type { CacheName } from './siblings.ts';
import { Turns } from './turns.ts';

/** Before a gateway is replaced that ended soon after its start; doubled each time. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** A gateway that ran this long did not end because of its start. */
const STABLE_MS = 60_000;

/** What runs in the gateway processes; by default the program of this process, with its environment. */
export interface GatewayProgram {
  file: string;
  /** In addition to this process's environment. */
  env: Record<string, string>;
}

export async function supervise(config: Config, program: GatewayProgram | null = null): Promise<Announced> {
  const opened = new Opened();
  try {
    return await superviseInto(config, program, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function superviseInto(config: Config, program: GatewayProgram | null, opened: Opened): Promise<Announced> {
  process.title = 'kissi supervisor';
  // Without a handler the signal would end the process, also during the start.
  let restart: () => void = () => undefined;
  const onSignal = () => restart();
  process.on('SIGHUP', onSignal);
  opened.add(async () => void process.off('SIGHUP', onSignal));
  const { logger } = createLoggers({ level: config.logLevel });
  opened.add(async () => void logger.flush());
  // Before the gateways start, which would otherwise all generate them.
  await completeSecrets(config);
  const database = await findDatabase(config, logger, opened);
  const connections = new Connections((error) =>
    logger.warn({ reason: error.message }, 'a connection could not be accepted'),
  );
  // Before a password is generated that is shown only once.
  const address = await connections.open(config.host, config.port);
  const supervisor = new Supervisor(config.gateways, { database, connections, logger, program });
  opened.add(() => supervisor.stop());
  const { servesDocs, webPages, firstAdmin } = await supervisor.start();
  restart = () => void supervisor.restart();
  return {
    ...{ address, servesDocs, webPages, firstAdmin },
    gateways: config.gateways,
    database: database.name,
    stop: () => closeLogged(opened, logger),
  };
}

interface Parts {
  database: PreparedDatabase;
  connections: Connections;
  logger: Logger;
  program: GatewayProgram | null;
}

class Supervisor {
  private readonly count: number;
  private readonly gatewayEnv: Record<string, string>;
  private readonly database: PreparedDatabase;
  private readonly connections: Connections;
  private readonly logger: Logger;
  /** The gateway that serves at each index; a replacement is entered when it is ready. */
  private readonly gateways = new Map<number, GatewayProcess>();
  private readonly processes = new Set<GatewayProcess>();
  private readonly limits = new LimitCounter();
  private readonly counts = new Counts<GatewayProcess>();
  /** Concurrent scrapes share the reports: an older one must not arrive after a newer one. */
  private readonly collectMetrics = singleFlight(() => this.readMetrics());
  private replaced = 0;
  private isStopping = false;
  private isRestarting = false;
  /** A further restart was asked for during one: gateways that it had already replaced may be outdated. */
  private isRestartDue = false;
  /** At each index one gateway starts after the other, so that the older process is the one that is replaced. */
  private readonly starts = new Turns<number>();

  constructor(count: number, { program, ...parts }: Parts) {
    this.count = count;
    this.gatewayEnv = program?.env ?? {};
    this.database = parts.database;
    this.connections = parts.connections;
    this.logger = parts.logger;
    // Structured clones keep the values that metrics can have, also NaN and Infinity.
    cluster.setupPrimary({ serialization: 'advanced', ...(program ? { exec: program.file, args: [] } : {}) });
  }

  /**
   * The first gateway must start: what keeps it from starting concerns all of them. The others are tried again, and not
   * waited for: the service serves, and a generated password is shown after this.
   */
  async start(): Promise<Started> {
    const { started } = await this.starts.take(0, () => this.startGateway(0, { createsFirstAdmin: true }));
    for (let index = 1; index < this.count; index += 1) void this.keepTrying(index);
    return started;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.connections.close();
    await Promise.all([...this.processes].map((each) => each.stop()));
  }

  /** Each gateway stops when its successor serves, so that no request is refused. */
  async restart(): Promise<void> {
    this.isRestartDue = true;
    if (this.isRestarting) return;
    this.isRestarting = true;
    while (this.isRestartDue && !this.isStopping) {
      this.isRestartDue = false;
      await this.restartAll();
    }
    this.isRestarting = false;
  }

  private async restartAll(): Promise<void> {
    this.logger.info('the gateways are restarted one by one');
    for (let index = 0; index < this.count && !this.isStopping; index += 1) {
      try {
        const { before } = await this.starts.take(index, () => this.startGateway(index, { createsFirstAdmin: false }));
        await before?.drain();
      } catch (error) {
        if (this.isStopping) return;
        this.logger.error({ gateway: index, reason: String(error) }, 'the restart ends here: a gateway did not start');
        return;
      }
    }
    this.logger.info('all gateways were restarted');
  }

  /** Also returns the previous gateway at this index, which is to be drained. */
  private async startGateway(
    index: number,
    options: { createsFirstAdmin: boolean },
  ): Promise<{ started: Started; before: GatewayProcess | undefined }> {
    if (this.isStopping) throw new GatewayFailed('The service is stopping.');
    const gateway = new GatewayProcess(cluster.fork(this.gatewayEnv), {
      count: (requests: Parameters<LimitCounter['count']>[0]) => this.limits.count(requests),
      changed: (cache: CacheName) => this.tellOthers(gateway, cache),
      counts: (families: ReadFamily[]) => this.counts.report(gateway, families),
      collect: () => this.collectMetrics(),
    });
    this.processes.add(gateway);
    this.counts.add(gateway);
    const beganAt = performance.now();
    void gateway.exited.then((exit) => this.afterExit(index, gateway, { ...exit, ranMs: performance.now() - beganAt }));
    void gateway.fellSilent.then(() => this.counts.end(gateway));
    const started = await gateway.start({ index, count: this.count, database: this.database, ...options });
    if ('failure' in started) {
      await gateway.stop();
      throw new GatewayFailed(started.failure);
    }
    const before = this.gateways.get(index);
    this.gateways.set(index, gateway);
    this.connections.add(gateway);
    if (before) this.connections.remove(before);
    this.logger.info({ gateway: index, pid: gateway.pid }, 'a gateway process serves');
    return { started, before };
  }

  private afterExit(index: number, gateway: GatewayProcess, { code, signal, ranMs }: Exit & { ranMs: number }): void {
    this.processes.delete(gateway);
    this.connections.remove(gateway);
    const served = this.gateways.get(index) === gateway;
    if (served) this.gateways.delete(index);
    const how = { gateway: index, pid: gateway.pid, ...(signal ? { signal } : { code }), ranMs: Math.round(ranMs) };
    if (!served || this.isStopping) {
      this.logger.info(how, 'a gateway process ended');
      return;
    }
    this.replaced += 1;
    this.logger.error(how, 'a gateway process ended and is replaced');
    void this.keepTrying(index, ranMs < STABLE_MS ? FIRST_DELAY_MS : 0);
  }

  private async keepTrying(index: number, firstDelayMs = 0): Promise<void> {
    for (let delayMs = firstDelayMs; !this.isStopping; delayMs = nextDelay(delayMs)) {
      await pause(delayMs);
      if (this.isStopping) return;
      try {
        await this.starts.take(index, () => this.startIfMissing(index));
        return;
      } catch (error) {
        if (this.isStopping) return;
        this.logger.error({ gateway: index, reason: String(error) }, 'a gateway did not start; trying again');
      }
    }
  }

  /** A restart may have started one in the meantime. */
  private async startIfMissing(index: number): Promise<void> {
    if (!this.gateways.has(index)) await this.startGateway(index, { createsFirstAdmin: false });
  }

  private tellOthers(from: GatewayProcess, cache: CacheName): void {
    for (const gateway of this.processes) if (gateway !== from) gateway.tell('changed', cache);
  }

  private async readMetrics(): Promise<Collected> {
    const read = await Promise.all(
      [...this.gateways].map(async ([index, gateway]) => {
        const snapshot = await gateway.snapshot().catch(() => null);
        if (!snapshot) return [];
        this.counts.report(gateway, snapshot.families);
        return [[String(index), snapshot] as const];
      }),
    );
    const state = { configured: this.count, ready: this.gateways.size, replaced: this.replaced };
    return { gateways: new Map(read.flat()), counts: this.counts.sets(), supervisor: supervisorMetrics(state) };
  }
}

function nextDelay(delayMs: number): number {
  return Math.min(LONGEST_DELAY_MS, Math.max(FIRST_DELAY_MS, delayMs * 2));
}

/** It does not keep the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
