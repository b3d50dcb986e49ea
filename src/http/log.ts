// Structured logs: JSON lines, written in the background, in which no secret appears.
import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';

// Nothing on purpose logs these; the net is for what a later line might carry along.
const SECRET_FIELDS = [
  'pin',
  'current_pin',
  'new_pin',
  'encrypted_pin',
  'password',
  'current_password',
  'new_password',
  'token',
  'refresh_token',
  'key',
  'secret',
  'webhook_secret',
  'signature',
  'authorization',
  'otp',
];

export interface LogOptions {
  level: string;
  /** A file descriptor, or a stream a test reads. */
  destination?: pino.DestinationStream;
}

export interface Loggers {
  logger: Logger;
  /** One line a request, of fields chosen one by one: looking through each for secrets would cost as much as serving it. */
  access: Logger;
}

export function createLoggers({ level, destination }: LogOptions): Loggers {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const to = destination ?? pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 });
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return { logger: pino({ ...options, redact: { paths, censor: '[redacted]' } }, to), access: pino(options, to) };
}
