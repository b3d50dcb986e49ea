// JSON as text, for what must come back to the letter: 1e400, 1.0 and twenty digits do not survive being parsed.

/**
 * The text of one member of an object, as it was written; undefined: there is none. Of several with one name the last
 * counts, as it does when parsing. `json` is the text of an object that has been parsed before, so it is well formed.
 */
export function memberText(json: string, name: string): string | undefined {
  let found: string | undefined;
  let at = json.indexOf('{') + 1;
  // After the last member there are only a bracket and blanks.
  for (let start = json.indexOf('"', at); start >= 0; start = json.indexOf('"', at)) {
    const end = endOfString(json, start);
    const value = skipBlanks(json, json.indexOf(':', end) + 1);
    at = endOfValue(json, value);
    if (isName(json.slice(start, end), name)) found = json.slice(value, at);
  }
  return found;
}

/** The text of an object with one more member, whose value is JSON text. */
export function withMember(json: string, name: string, text: string): string {
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}${JSON.stringify(name)}:${text}}`;
}

/** Parsed so that writing it again gives every number as it was written. */
export function parseKeepingNumbers(json: string): unknown {
  return JSON.parse(json, keepNumber);
}

// Newer than the types of the library.
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const STEP: Record<string, number> = { '{': 1, '[': 1, '}': -1, ']': -1 };
const BLANKS = /[ \t\r\n]*/y;
const PLAIN_VALUE = /[^,}\] \t\r\n]*/y;

function isName(text: string, name: string): boolean {
  return text.includes('\\') ? JSON.parse(text) === name : text === `"${name}"`;
}

function skipBlanks(json: string, from: number): number {
  return endOfMatch(BLANKS, json, from);
}

function endOfMatch(sticky: RegExp, json: string, from: number): number {
  sticky.lastIndex = from;
  return from + (sticky.exec(json)?.[0].length ?? 0);
}

function endOfString(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === BACKSLASH) at++;
    else if (char === QUOTE) return at + 1;
  }
  return json.length;
}

/** Without recursion: however deep it goes, the stack does not. */
function endOfValue(json: string, from: number): number {
  const first = json.charAt(from);
  if (first === '"') return endOfString(json, from);
  if (first !== '{' && first !== '[') return endOfMatch(PLAIN_VALUE, json, from);
  let depth = 0;
  for (let at = from; at < json.length; ) {
    const char = json.charAt(at);
    depth += STEP[char] ?? 0;
    at = char === '"' ? endOfString(json, at) : at + 1;
    if (depth === 0) return at;
  }
  return json.length;
}
