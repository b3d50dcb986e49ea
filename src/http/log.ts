// Structured logs: JSON lines, written in the background, in which no secret appears.
import pino, { type Logger } from 'pino';
import { iso } from '../kernel/clock.ts';

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
  /** Standard error unless given; a test reads it. */
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

// In pieces of this size, so that a busy service hands its lines over hundreds at a time, and an idle one soon.
const PIECE_BYTES = 15_000;
const FLUSH_EVERY_MS = 200;
// Where whoever reads the lines stands still, later ones are lost: better than all of the memory.
const MOST_WAITING_BYTES = 64 * 1024 * 1024;

export function createLoggers({ level, destination }: LogOptions): Loggers {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const pace = { minLength: PIECE_BYTES, periodicFlush: FLUSH_EVERY_MS, maxLength: MOST_WAITING_BYTES };
  const inPieces = { dest: 2, sync: false, ...pace };
  const to = destination ?? pino.destination(inPieces);
  const timestamp = pino.stdTimeFunctions.isoTime;
  const logger = pino({ level, base: null, timestamp, redact: { paths, censor: '[redacted]' } }, to);
  const info = logger.levels.values.info ?? 30;
  const write = gathered(to);
  return {
    logger,
    request(line) {
      if (logger.levelVal <= info) write(requestText(info, line));
    },
  };
}

/** The lines of one turn of the event loop go on as one: with each it is given, the stream measures all that wait in it. */
function gathered(to: pino.DestinationStream): (line: string) => void {
  let waiting = '';
  const handOver = () => {
    to.write(waiting);
    waiting = '';
  };
  return (line) => {
    if (waiting === '') setImmediate(handOver);
    waiting += line;
  };
}

/** Written out by hand: this line is most of what is ever logged. */
function requestText(level: number, line: RequestLine): string {
  const { reqId, method, route, path, status, ms, caller, ip } = line;
  const who = caller === undefined ? '' : `,"caller":${JSON.stringify(caller)}`;
  const what = `"method":"${method}","route":${JSON.stringify(route)},"path":${JSON.stringify(path)}`;
  const how = `"status":${status},"ms":${ms}${who},"ip":${JSON.stringify(ip)}`;
  return `{"level":${level},"time":"${iso(Date.now())}","reqId":${JSON.stringify(reqId)},${what},${how},"msg":"request"}\n`;
}
