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

export function createLogger({ level, destination }: LogOptions): Logger {
  const redact = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: redact, censor: '[redacted]' } },
    destination ?? pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
}
