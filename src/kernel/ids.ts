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
const RANDOM_CHARS = 16;
const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);
let poolOffset = 0;

/** Random bytes by the page: one system call serves 256 identifiers. */
function nextRandom(): Buffer {
  if (poolOffset + RANDOM_CHARS > pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolOffset = 0;
  }
  const bytes = pool.subarray(poolOffset, poolOffset + RANDOM_CHARS);
  poolOffset += RANDOM_CHARS;
  return bytes;
}

function timePart(at: number): string {
  let left = at;
  let text = '';
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET.charAt(left % 32) + text;
    left = Math.floor(left / 32);
  }
  return text;
}

let lastTime = -1;
let lastTimePart = '';

export function newId(prefix: IdPrefix, clock: Clock = systemClock): string {
  const now = clock.now();
  if (now !== lastTime) {
    lastTime = now;
    lastTimePart = timePart(now);
  }
  const random = nextRandom();
  let text = '';
  for (let i = 0; i < RANDOM_CHARS; i++) text += ALPHABET.charAt((random[i] ?? 0) & 31);
  return `${prefix}_${lastTimePart}${text}`;
}
