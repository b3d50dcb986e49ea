// The bytes of a body as they arrive: how many one may have, and how many all of them may hold together.
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { Overloaded } from '../../kernel/overloaded.ts';
import { endLate } from '../malformed-http.ts';

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Every body has this much, whoever else sends: no payment needs more. */
const OWN_BYTES = 16 * 1024;
/** What lies beyond that comes out of this, for all together: otherwise ten thousand strangers could hold ten gigabytes. */
const SHARED_BYTES = 64 * 1024 * 1024;
/** A chunk of one byte takes as much memory as this, and more time: a body of a megabyte comes in a thousand. */
const PIECE_BYTES = 256;
const MAX_PIECES = 8_192;

declare module 'fastify' {
  interface FastifyRequest {
    /** What the body holds of the shared bytes. */
    sharedBytes: number;
  }
  interface FastifyInstance {
    /** How long a body may take to arrive, and an upload to go on. */
    patienceMs: number;
  }
}

let shared = 0;

type Done = (error: Error | null, bytes?: Buffer) => void;

export class TooManyPieces extends Error {}

/** What a body holds is given back when its request is answered or gone, since it may still wait to be served. */
export function shareRoom(scope: FastifyInstance): void {
  scope.decorateRequest('sharedBytes', 0);
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    if (mayHoldMuch(request)) reply.raw.once('close', () => giveBack(request));
    done();
  });
}

function mayHoldMuch({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > OWN_BYTES / 2;
}

function giveBack(request: FastifyRequest): void {
  shared -= request.sharedBytes;
  request.sharedBytes = 0;
}

/** False: there is no room left for so many. */
function take(request: FastifyRequest, bytes: number): boolean {
  const more = Math.max(0, bytes - OWN_BYTES) - request.sharedBytes;
  if (more <= 0) return true;
  if (shared + more > SHARED_BYTES) return false;
  shared += more;
  request.sharedBytes += more;
  return true;
}

export function readBytes(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const declared = Number(request.headers['content-length']);
  if (declared > BODY_LIMIT_BYTES) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  // Its client has gone meanwhile, and nothing more is heard of it.
  if (payload.destroyed) {
    done(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    return;
  }
  const isCounted = mayHoldMuch(request);
  const pieces: Buffer[] = [];
  let received = 0;
  // Nearly all arrive with their head.
  const late = payload.complete ? undefined : setTimeout(endLate, request.server.patienceMs, payload);

  function finish(error: Error | null): void {
    clearTimeout(late);
    payload.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', onBroken);
    if (error) {
      // What still comes is read and dropped, so that the sender hears the answer.
      payload.resume();
      done(error);
    } else done(null, pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, received));
  }

  function onData(piece: Buffer): void {
    pieces.push(piece);
    received += piece.length;
    if (received > BODY_LIMIT_BYTES) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else if (!isCounted) return;
    else if (pieces.length > MAX_PIECES) finish(new TooManyPieces());
    else if (!take(request, received + pieces.length * PIECE_BYTES)) finish(new Overloaded());
  }

  function onEnd(): void {
    if (Number.isNaN(declared) || declared === received) finish(null);
    else onBroken();
  }

  /** Whoever goes in the middle of a body is no failure of ours. */
  function onBroken(): void {
    finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  }

  payload.on('data', onData).on('end', onEnd).on('error', onBroken);
}
