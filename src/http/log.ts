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

export interface RequestLine {
  reqId: string;
  method: string;
  route: string;
  path: string;
  status: number;
  ms: number;
  caller: string | undefined;
  ip: string;
}

export interface Loggers {
  logger: Logger;
  /** One line a request, of these fields and no others, so that nothing in it needs to be looked for and struck out. */
  request(line: RequestLine): void;
}

export function createLoggers({ level, destination }: LogOptions): Loggers {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const to = destination ?? pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 });
  const timestamp = pino.stdTimeFunctions.isoTime;
  const logger = pino({ level, base: null, timestamp, redact: { paths, censor: '[redacted]' } }, to);
  const info = pino.levels.values['info'] ?? 30;
  return {
    logger,
    request(line) {
      if (logger.levelVal > info) return;
      const time = new Date().toISOString();
      to.write(`${JSON.stringify({ level: info, time, ...line, msg: 'request' })}\n`);
    },
  };
}
