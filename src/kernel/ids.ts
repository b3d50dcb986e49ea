// Public identifiers: a type prefix and a monotonic ULID, which sorts by time and does not reveal counts.
import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from './clock.ts';

export type IdPrefix =
  | 'sub'
  | 'agent'
  | 'proc'
  | 'usr'
  | 'key'
  | 'ptn'
  | 'txn'
  | 'inb'
  | 'alert'
  | 'rule'
  | 'evt'
  | 'whe'
  | 'aud'
  | 'msg'
  | 'ses'
  | 'pky'
  | 'apr'
  | 'trust'
  | 'stmt'
  | 'bent'
  | 'bacc'
  | 'match'
  | 'claim'
  | 'sugg'
  | 'rrun'
  | 'close'
  | 'cert'
  | 'note'
  | 'pch'
  | 'view'
  | 'req'
  | 'prq'
  | 'prn'
  | 'dev'
  | 'cse'
  | 'rfs'
  | 'bulk'
  | 'case'
  | 'cev'
  | 'cfile'
  | 'cclk'
  | 'doc'
  | 'flt';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const HALF_CHARS = 8;
const HALF = 32 ** HALF_CHARS;
const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);
let poolOffset = 0;

/** Below 2^40. Reads random bytes in blocks: one system call serves hundreds of identifiers. */
function random40(): number {
  if (poolOffset + 5 > pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolOffset = 0;
  }
  const value = pool.readUIntBE(poolOffset, 5);
  poolOffset += 5;
  return value;
}

function encode(value: number, chars: number): string {
  let left = value;
  let text = '';
  for (let i = 0; i < chars; i++) {
    text = ALPHABET.charAt(left % 32) + text;
    left = Math.floor(left / 32);
  }
  return text;
}

interface Last {
  time: number;
  timePart: string;
  high: number;
  low: number;
}

/** The last identifier per clock: identifiers of one clock are in ascending order. */
const lastOf = new WeakMap<Clock, Last>();

function firstAt(time: number): Last {
  // Half of the range, so that the increments within one millisecond do not overflow.
  return { time, timePart: encode(time, TIME_CHARS), high: Math.floor(random40() / 2), low: random40() };
}

/** Random increments, so that an identifier does not reveal its neighbours. */
function increment(last: Last): void {
  last.low += 1 + (random40() % 2 ** 36);
  if (last.low < HALF) return;
  last.low -= HALF;
  last.high += 1;
}

/** Identifiers are in ascending order within a millisecond too. */
export function newId(prefix: IdPrefix, clock: Clock = systemClock): string {
  const now = clock.now();
  let last = lastOf.get(clock);
  if (last?.time === now) {
    increment(last);
  } else {
    last = firstAt(now);
    lastOf.set(clock, last);
  }
  return `${prefix}_${last.timePart}${encode(last.high, HALF_CHARS)}${encode(last.low, HALF_CHARS)}`;
}

/** A lower bound of all identifiers created at `time` or later. */
export function firstIdAt(prefix: IdPrefix, time: number): string {
  return `${prefix}_${encode(Math.max(0, time), TIME_CHARS)}`;
}

/** The instant at which an identifier was created. */
export function timeOfId(id: string): number {
  const start = id.indexOf('_') + 1;
  let time = 0;
  for (const char of id.slice(start, start + TIME_CHARS)) time = time * ALPHABET.length + ALPHABET.indexOf(char);
  return time;
}
