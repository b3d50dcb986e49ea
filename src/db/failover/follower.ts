// Connections that go to whichever host leads, and do not stay with one that was deposed.
import pg from 'pg';
import { impatientClient, socketOf } from '../driver/client.ts';
import { type Host, readAddress } from './address.ts';
import { type Leader, leaderAmong, NoLeader } from './leader.ts';

export interface Reach {
  connectionString: string;
  Client: typeof pg.Client;
}

/** How to connect to an address: as given where it names one host, else to the one among them that takes writes. */
export function reach(url: string, Client: typeof pg.Client = pg.Client): Reach {
  const { url: connectionString, hosts } = readAddress(url);
  if (hosts.length === 0) return { connectionString, Client };
  const leader = leaderAmong(hosts, (host) => timelineAt(connectionString, host));
  return { connectionString, Client: followingClient(Client, leader) };
}

// A host that is gone without a word holds up the search this long, a part of what a connection may take.
const LOOK_TIMEOUT_MS = 700;
const LookingClient = impatientClient(LOOK_TIMEOUT_MS);
const TIMELINE_LENGTH = 8;

async function timelineAt(connectionString: string, host: Host): Promise<string | null> {
  const application_name = 'kissi looks for the leader';
  const client = new LookingClient({ connectionString, application_name, connectionTimeoutMillis: LOOK_TIMEOUT_MS });
  Object.assign(client, host);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string | null }>(
      `select case when current_setting('transaction_read_only') = 'off'
         then pg_walfile_name(pg_current_wal_lsn()) end as file`,
    );
    return rows[0]?.file?.slice(0, TIMELINE_LENGTH) ?? null;
  } finally {
    client.end().catch(() => undefined);
  }
}

type Connected = (error: Error | null) => void;
const READ_ONLY = '25006';

function followingClient(Base: typeof pg.Client, leader: Leader): typeof pg.Client {
  class FollowingClient extends Base {
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
      Object.assign(this, { host: host.host, port: host.port });
      this.stayOnlyWhileItLeads(host);
      try {
        await super.connect();
        const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
        if (rows[0]?.transaction_read_only !== 'off') throw new NoLeader();
        return this;
      } catch (error) {
        leader.doubt(host);
        socketOf(this).destroy();
        throw error;
      }
    }

    private stayOnlyWhileItLeads(host: Host): void {
      const leave = () => void socketOf(this).destroy(new Error('another host leads now'));
      const left = leader.follow(host, leave);
      this.once('end', left);
      this.on('error', () => leader.doubt(host));
      // Deposed while connected: it says so at the first write, which did not happen.
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
      connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code !== READ_ONLY) return;
        leader.doubt(host);
        leave();
      });
    }
  }
  return FollowingClient;
}
