// Key rings: the keys of MASTER_KEY or PIN_PEPPER with their ids, which one new values are written under, and the retired ones.

export interface Key {
  readonly id: string;
  readonly value: string;
}

/** The id of a database's first key. A plain value has it, and so does everything stored without an id. */
export const FIRST_KEY = 'k1';

const LIST = /^k\d{1,9}:/;
const ENTRY = /^(k\d{1,9}):(.*)$/s;

/** A ring, or the text of its keys. */
export type Keys = KeyRing | string;

/** A stored value names a key that is not configured. */
export class MissingKey extends Error {
  readonly id: string;
  constructor(id: string) {
    super(`the key ${id} is needed and not configured`);
    this.id = id;
  }
}

export class KeyRing {
  readonly configured: readonly Key[];
  /** The key that new values should be written under. */
  readonly first: Key;
  /** On the clock of `performance.now()`: until then the other gateways count on what this one announced. */
  announcedUntil = Number.POSITIVE_INFINITY;
  private readonly retired = new Map<string, Key>();
  private written: Key;

  constructor(configured: readonly Key[]) {
    const [first] = configured;
    if (!first) throw new Error('a key ring needs a key');
    this.configured = configured;
    this.first = first;
    this.written = first;
  }

  /** The key that new values are written under: the first one as soon as every gateway has it. */
  get writing(): Key {
    return this.written;
  }

  /** Of the configured keys: the ids are numbered in the order of their use. */
  get oldest(): Key {
    return this.configured.reduce((oldest, key) => (isOlder(key, oldest) ? key : oldest));
  }

  /** Configured keys that the first one replaces. A key that is configured in advance is none of them. */
  get replaced(): Key[] {
    return this.configured.filter((key) => isOlder(key, this.first));
  }

  writeUnder(id: string): void {
    this.written = this.key(id);
  }

  has(id: string): boolean {
    return this.configured.some((key) => key.id === id);
  }

  key(id: string): Key {
    const found = this.configured.find((key) => key.id === id);
    if (!found) throw new MissingKey(id);
    return found;
  }

  /** An old key that is kept in the database, encrypted: it verifies history, and opens nothing. */
  addRetired(key: Key): void {
    this.retired.set(key.id, key);
  }

  isRetired(id: string): boolean {
    return this.retired.has(id);
  }

  /** Configured or retired. */
  known(id: string): Key | undefined {
    return this.configured.find((key) => key.id === id) ?? this.retired.get(id);
  }

  /** Configured and retired, the one that is written under first. */
  get all(): Key[] {
    const others = [...this.configured, ...this.retired.values()].filter(({ id }) => id !== this.written.id);
    return [this.written, ...others.filter(({ id }, place) => others.findIndex((each) => each.id === id) === place)];
  }
}

function isOlder({ id }: Key, other: Key): boolean {
  return Number(id.slice(1)) < Number(other.id.slice(1));
}

/** `k2:…,k1:…`, also with line ends instead of commas, or a plain value, which is the key k1. */
export function parseKeys(text: string): Key[] {
  if (!LIST.test(text)) return [{ id: FIRST_KEY, value: text }];
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [, id = '', value = ''] = ENTRY.exec(entry) ?? [];
    return { id, value };
  });
}

/** Why the text is not a list of keys, phrased to follow the variable's name; null if it is one. */
export function keysFault(text: string, minLength: number): string | null {
  const keys = parseKeys(text);
  if (keys.some(({ id }) => id === '')) return 'must be one value, or several such as k2:…,k1:…, separated by commas.';
  const short = keys.find(({ value }) => value.length < minLength);
  if (short) {
    return `must have at least ${minLength} characters${LIST.test(text) ? ` in each key; ${short.id} has fewer` : ''}.`;
  }
  if (new Set(keys.map(({ id }) => id)).size < keys.length) return 'has the same key id twice.';
  return new Set(keys.map(({ value }) => value)).size < keys.length ? 'has the same value under two key ids.' : null;
}

export function ringOf(keys: Keys): KeyRing {
  return typeof keys === 'string' ? new KeyRing(parseKeys(keys)) : keys;
}

/** What is derived from each key of a ring, made when it is first needed. */
export class Derived<Made> {
  readonly ring: KeyRing;
  private readonly derive: (value: string, id: string) => Made;
  private readonly made = new Map<string, Made>();

  constructor(keys: Keys, derive: (value: string, id: string) => Made) {
    this.ring = ringOf(keys);
    this.derive = derive;
  }

  get writing(): Made {
    return this.from(this.ring.writing);
  }

  /** Of a configured key. */
  of(id: string): Made {
    return this.from(this.ring.key(id));
  }

  /** Of a configured or retired key. */
  known(id: string): Made | undefined {
    const key = this.ring.known(id);
    return key && this.from(key);
  }

  /** Of the configured keys, the one that is written under first. */
  get usable(): Made[] {
    return this.ring.all.filter(({ id }) => this.ring.has(id)).map((key) => this.from(key));
  }

  /** Of the retired keys too. */
  get all(): Made[] {
    return this.ring.all.map((key) => this.from(key));
  }

  private from({ id, value }: Key): Made {
    let made = this.made.get(id);
    if (made === undefined) {
      made = this.derive(value, id);
      this.made.set(id, made);
    }
    return made;
  }
}
