// Finds the secrets of a run, used or received, in texts that must not contain them: logs and refusals.

/** Patterns of credentials, whether or not this run used them. */
const LOOKS_SECRET: Record<string, RegExp> = {
  'a key': /svc_(?:live|test)_[\w-]{20,}/,
  'a token or an encrypted PIN': /eyJ[\w-]{8,}\.[\w-]*\.[\w-]+/,
  'a signature or a hash': /(?<![\w-])[0-9a-f]{64}(?![\w-])/i,
};

const SECRET_FIELDS = new Set(['key', 'secret', 'webhook_secret', 'token', 'refresh_token', 'device_token']);
const WORDS = /[\w-]{20,}/g;
/** Matches only separate numbers, because digits inside an id or a time match by accident. */
const DIGITS = /(?<![\w.+-]|\d:)\d{4,6}(?![\w.-]|:\d)/g;

export class Secrets {
  /** Secrets of at least 20 characters of [\w-], looked up word by word. */
  private readonly words = new Set<string>();
  private readonly digits = new Set<string>();
  private readonly phrases = new Set<string>();

  /** Adds a PIN or a code. Use PINs above 5000: smaller numbers also occur as years and milliseconds. */
  addDigits(value: string): void {
    this.digits.add(value);
  }

  add(value: string): void {
    if (value.length < 8) throw new Error('too short: it would match by accident');
    if (/^[\w-]{20,}$/.test(value)) this.words.add(value);
    else this.phrases.add(value);
  }

  /** Collects a reply's secrets. */
  collect(json: unknown): void {
    if (typeof json !== 'object' || json === null) return;
    for (const [name, value] of Object.entries(json)) {
      if (SECRET_FIELDS.has(name) && typeof value === 'string') {
        for (const part of value.split('.')) if (part.length >= 20) this.words.add(part);
      }
    }
  }

  get size(): number {
    return this.words.size + this.digits.size + this.phrases.size;
  }

  /** Describes the first secret in the text; null if there is none. */
  find(text: string): string | null {
    for (const [name, pattern] of Object.entries(LOOKS_SECRET)) {
      const match = pattern.exec(text);
      if (match) return `${name}: ${around(text, match.index)}`;
    }
    for (const [pattern, known] of [
      [WORDS, this.words],
      [DIGITS, this.digits],
    ] as const) {
      for (const match of text.matchAll(pattern)) {
        if (known.has(match[0])) return `a secret of this run: ${around(text, match.index)}`;
      }
    }
    for (const phrase of this.phrases) {
      const at = text.indexOf(phrase);
      if (at !== -1) return `a secret of this run: ${around(text, at)}`;
    }
    return null;
  }
}

const around = (text: string, at: number) => text.slice(Math.max(0, at - 200), at + 100);
