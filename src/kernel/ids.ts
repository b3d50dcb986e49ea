// Public identifiers: a prefix that says what it names, and a part that sorts by time but reveals no count.
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
  | 'aud'
  | 'msg'
  | 'ses'
  | 'req';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const HALF_CHARS = 8;
const HALF = 32 ** HALF_CHARS;
const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);
let poolOffset = 0;

/** Below 2^40. Random bytes by the page: one system call serves hundreds of identifiers. */
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

let lastTime = -1;
let timePart = '';
let high = 0;
let low = 0;

/** In order also within a millisecond, by steps too large and too random to guess a neighbour from. */
export function newId(prefix: IdPrefix, clock: Clock = systemClock): string {
  const now = clock.now();
  if (now === lastTime) {
    low += 1 + (random40() % 2 ** 36);
    if (low >= HALF) {
      low -= HALF;
      high += 1;
    }
  } else {
    lastTime = now;
    timePart = encode(now, TIME_CHARS);
    // Half of its range, so that the steps of one millisecond do not run over.
    high = Math.floor(random40() / 2);
    low = random40();
  }
  return `${prefix}_${timePart}${encode(high, HALF_CHARS)}${encode(low, HALF_CHARS)}`;
}
