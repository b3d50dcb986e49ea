// pg clients that connect to the leader among several hosts, and disconnect when another host is promoted.
import { type Client, type ClientClass, clientWithTimeout, PlainClient } from '../driver/client.ts';
import { text, textOrNull } from '../driver/columns.ts';
import { Connection } from '../driver/connection.ts';
import { onServerError, setAddress, socketOf } from '../driver/pg-internals.ts';
import { statement } from '../driver/statement.ts';
import { type Host, parseAddress } from './address.ts';
import { findLeaderAmong, type Leader, NoLeader } from './leader.ts';

export interface Target {
  connectionString: string;
  Client: ClientClass;
}

/** How to connect to an address: directly if it names one host, otherwise to the host that accepts writes. */
export function targetOf(url: string, Base: ClientClass = PlainClient, probeMs = PROBE_TIMEOUT_MS): Target {
  const { url: connectionString, hosts } = parseAddress(url);
  if (hosts.length === 0) return { connectionString, Client: Base };
  const leader = findLeaderAmong(hosts, (host) => timelineAt(connectionString, host, probeMs));
  return { connectionString, Client: leaderClient(Base, leader) };
}

// How long an unresponsive host can delay the search: half the connect timeout.
const PROBE_TIMEOUT_MS = 700;
const TIMELINE_LENGTH = 8;

const WAL_FILE = statement(
  'wal-file',
  `select case when current_setting('transaction_read_only') = 'off' then pg_walfile_name(pg_current_wal_lsn()) end`,
  ([file]) => textOrNull(file),
);

async function timelineAt(connectionString: string, host: Host, timeoutMs: number): Promise<string | null> {
  const application_name = 'kissi leader probe';
  const ProbeClient = clientWithTimeout(timeoutMs);
  const client = new ProbeClient({ connectionString, application_name, connectionTimeoutMillis: timeoutMs });
  setAddress(client, host);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [file] = await connectionOf(client).run(WAL_FILE);
    return file?.slice(0, TIMELINE_LENGTH) ?? null;
  } finally {
    client.end().catch(() => undefined);
  }
}

function connectionOf(client: Client): Connection {
  return new Connection(client, () => undefined);
}

type Connected = (error: Error | null) => void;
const READ_ONLY_TRANSACTION = '25006';
const IS_READ_ONLY = statement('is-read-only', 'show transaction_read_only', ([setting]) => text(setting));

function leaderClient(Base: ClientClass, leader: Leader): ClientClass {
  class LeaderClient extends Base {
    override connect(): Promise<this>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<this> | undefined {
      const connected = this.connectToLeader();
      if (!callback) return connected;
      connected.then(() => callback(null), callback);
      return undefined;
    }

    private async connectToLeader(): Promise<this> {
      const host = await leader.find();
      setAddress(this, host);
      this.disconnectWhenDeposed(host);
      try {
        await super.connect();
        const [isReadOnly] = await connectionOf(this).run(IS_READ_ONLY);
        if (isReadOnly !== 'off') throw new NoLeader();
        return this;
      } catch (error) {
        leader.suspect(host);
        socketOf(this).destroy();
        throw error;
      }
    }

    private disconnectWhenDeposed(host: Host): void {
      const disconnect = () => void socketOf(this).destroy(new Error('another host is now the leader'));
      const unsubscribe = leader.onChange(host, disconnect);
      this.once('end', unsubscribe);
      this.on('error', () => leader.suspect(host));
      // A demoted leader rejects the first write, so nothing was written.
      onServerError(this, (sqlState) => {
        if (sqlState !== READ_ONLY_TRANSACTION) return;
        leader.suspect(host);
        disconnect();
      });
    }
  }
  return LeaderClient;
}
