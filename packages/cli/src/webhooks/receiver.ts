// Receives webhooks on this machine: it is the partner's webhook_url while kissi listen runs.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { operation } from '../command-table.ts';
import { isKissiError, UsageError } from '../errors.ts';
import type { Connection } from '../session/connection.ts';
import { configFolder } from '../session/profile.ts';
import type { EventSource } from './event.ts';
import { addressOf, closeServer, startHookServer } from './hook-server.ts';

export interface ReceiverOptions {
  connection: Connection;
  partnerId: string;
  secret: string | undefined;
  /** 0 for any free port. */
  port: number;
  /** Under which the service reaches this machine, such as the address of a tunnel. */
  publicUrl: string | undefined;
}

/** The service does not send webhooks to this machine, or not without another user's approval. */
export class UrlRefused extends UsageError {}

export function createReceiver(options: ReceiverOptions): EventSource {
  const { connection, partnerId, publicUrl } = options;
  const file = stateFile(partnerId);
  let server: Server | null = null;
  let previous: string | null | undefined;

  async function becomeWebhookUrl(url: string): Promise<void> {
    const { partner } = (await connection.call(operation('getPartner'), {
      path: { id: partnerId },
    })) as unknown as PartnerReply;
    previous = urlBefore(file, partner.webhook_url);
    writeState(file, { before: previous, receiver: url });
    await setUrl(connection, partnerId, url).catch((error: unknown) => {
      previous = undefined;
      rmSync(file, { force: true });
      throw error;
    });
  }

  return {
    get description() {
      return `Receiving the webhooks of ${partnerId} at ${publicUrl ?? addressOf(server)}. Its webhook_url is restored at the end.`;
    },
    async start({ onEvent }) {
      server = await startHookServer(options.port, () => options.secret, onEvent);
      try {
        await becomeWebhookUrl(publicUrl ?? addressOf(server));
      } catch (error) {
        // An open server would keep the command running.
        server.close();
        throw error;
      }
    },
    async replay(id) {
      await connection.call(operation('replayWebhookDelivery'), { path: { id } });
    },
    async stop() {
      if (previous !== undefined) {
        await setUrl(connection, partnerId, previous ?? '');
        rmSync(file, { force: true });
      }
      closeServer(server);
    },
  };
}

interface PartnerReply {
  partner: { webhook_url: string | null };
}

async function setUrl(connection: Connection, id: string, url: string): Promise<void> {
  try {
    const reply = await connection.call(operation('updatePartner'), { path: { id }, body: { webhook_url: url } });
    if (reply?.lastResponse?.status === 202) {
      throw new UrlRefused("Changing webhook_url needs another user's approval. Use --follow, which changes nothing.");
    }
  } catch (error) {
    if (!isKissiError(error) || !/webhook_url/.test(error.message)) throw error;
    throw new UrlRefused(`${error.message} Use --follow, or allow private addresses with WEBHOOK_ALLOW_PRIVATE=true.`);
  }
}

const stateFile = (partnerId: string) => join(configFolder(), `listen-${encodeURIComponent(partnerId)}.json`);

interface State {
  before: string | null;
  receiver: string;
}

/** A run that was killed left its own address behind. */
function urlBefore(file: string, current: string | null): string | null {
  try {
    const { before, receiver } = JSON.parse(readFileSync(file, 'utf8')) as State;
    return receiver === current ? before : current;
  } catch {
    return current;
  }
}

function writeState(file: string, state: State): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
}
