// The tables of messages, outgoing and incoming, as the code sees them.
import type { ColumnType } from 'kysely';

type WithDefault<T> = ColumnType<T, T | undefined, T>;

export interface MessagesTable {
  id: string;
  recipient: string;
  kind: string;
  sealed_text: Buffer | null;
  status: WithDefault<'local' | 'pending' | 'sent' | 'failed'>;
  attempts: WithDefault<number>;
  next_attempt_at: Date | null;
  lease: WithDefault<string | null>;
  leased_until: WithDefault<Date | null>;
  finished_at: WithDefault<Date | null>;
  last_error: WithDefault<string | null>;
  created_at: Date;
}

export interface IncomingMessagesTable {
  id: string;
  place: string;
  platform_user: string;
  sender: string;
  verified: boolean;
  sealed_text: Buffer | null;
  lease: WithDefault<string | null>;
  leased_until: WithDefault<Date | null>;
  received_at: Date;
}
