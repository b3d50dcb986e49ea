// What people sign instead: each known mistake as the string, or the secret, it leads to.
import type { Scheme, Sent } from './schemes.ts';

export interface Mistake {
  /** What was done, as the end of "The signature is what comes out when …". */
  says: string;
  signed: Buffer;
  /** When it is the secret that was used wrongly. */
  secret?: Buffer;
}

interface Change {
  says: string;
  sent: Sent;
}

export function mistakes(scheme: Scheme, sent: Sent, secret: string): Mistake[] {
  const expected = scheme.canonical(sent);
  if (expected === null) return [];
  const changes = [...headChanges(sent), ...headerChanges(scheme, sent), ...bodyChanges(sent)];
  const changed = changes.flatMap(({ says, sent: instead }) => {
    const signed = scheme.canonical(instead);
    return signed === null ? [] : [{ says, signed }];
  });
  const all = [...changed, ...joinings(expected, scheme), ...otherSchemes(scheme, sent)];
  return [...all.filter(({ signed }) => !signed.equals(expected)), ...secrets(secret, expected)];
}

function headChanges(sent: Sent): Change[] {
  const { method, target, headers } = sent;
  const path = target.split('?', 1)[0] ?? target;
  const host = headers.Host ?? 'localhost';
  return [
    { says: 'the method is written in small letters', sent: { ...sent, method: method.toLowerCase() } },
    { says: 'the path is signed without its query string', sent: { ...sent, target: path } },
    { says: 'the path is signed without /api/v1', sent: { ...sent, target: target.replace(/^\/api\/v1/, '') } },
    { says: 'the path is signed without its first slash', sent: { ...sent, target: target.replace(/^\//, '') } },
    { says: 'the path is signed with a slash at its end', sent: { ...sent, target: `${path}/` } },
    { says: 'the path is signed decoded, not as it is sent', sent: { ...sent, target: decoded(target) } },
    ...['http', 'https'].map((protocol) => ({
      says: 'the whole address is signed, not the path alone',
      sent: { ...sent, target: `${protocol}://${host}${target}` },
    })),
  ];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function headerChanges({ timestampHeader }: Scheme, sent: Sent): Change[] {
  const without = (name: string): Change => ({
    says: `${name} is sent but not signed`,
    sent: { ...sent, headers: { ...sent.headers, [name]: '' } },
  });
  const changes = ['X-Idempotency-Key', 'X-Nonce'].map(without);
  const stamp = timestampHeader && sent.headers[timestampHeader];
  if (!stamp) return changes;
  const at = new Date(/^\d+$/.test(stamp) ? Number(stamp) * 1_000 : stamp);
  if (Number.isNaN(at.getTime())) return changes;
  const forms = {
    'with milliseconds': at.toISOString(),
    'without milliseconds': at.toISOString().replace(/\.\d+Z$/, 'Z'),
    'as +00:00': at.toISOString().replace(/\.\d+Z$/, '+00:00'),
    'as Unix seconds': String(Math.floor(at.getTime() / 1_000)),
    'as Unix milliseconds': String(at.getTime()),
  };
  for (const [how, written] of Object.entries(forms)) {
    const says = `${timestampHeader} is signed ${how}, not as it is sent`;
    changes.push({ says, sent: { ...sent, headers: { ...sent.headers, [timestampHeader]: written } } });
  }
  return changes;
}

function bodyChanges(sent: Sent): Change[] {
  const text = sent.body.toString('utf8');
  const bodies: [string, string][] = [
    ['the line feed at the end of the body is not signed', text.replace(/\r?\n$/, '')],
    ['a line feed is signed that the body does not end with', `${text}\n`],
    ['the body is signed without the blanks around it', text.trim()],
    ['the body is not signed at all', ''],
  ];
  const json = parsed(text);
  if (json !== undefined) {
    const says = 'the body is signed as JSON in another form than it is sent in';
    const forms = [JSON.stringify(json), JSON.stringify(json, null, 2), spaced(json), JSON.stringify(sorted(json))];
    bodies.push(...forms.map((form): [string, string] => [says, form]));
  }
  return bodies.map(([says, body]) => ({ says, sent: { ...sent, body: Buffer.from(body) } }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** One line with blanks after : and , as Python writes it. */
function spaced(json: unknown): string {
  return JSON.stringify(json, null, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');
}

function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted);
  if (json === null || typeof json !== 'object') return json;
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, sorted(value)]),
  );
}

function joinings(expected: Buffer, { name }: Scheme): Mistake[] {
  if (name === 'webhook') return [];
  const text = expected.toString('latin1');
  const [joiner, others] = name === 'service' ? ['|', ['\n', '']] : ['\n', ['\r\n', '\\n', '|', '']];
  return [
    ...others.map((other) => ({
      says: `the fields are joined by ${JSON.stringify(other)}, not by ${JSON.stringify(joiner)}`,
      signed: Buffer.from(text.replaceAll(joiner, other), 'latin1'),
    })),
    { says: 'a line feed is signed after the last field', signed: Buffer.concat([expected, Buffer.from('\n')]) },
  ];
}

/** The string of the scheme of another route family. */
function otherSchemes({ name }: Scheme, { method, target, headers, body }: Sent): Mistake[] {
  const timestamp = headers['X-Timestamp'] ?? headers['X-Service-Timestamp'] ?? '';
  const inlined = Buffer.concat([Buffer.from(`${method}\n${target}\n${timestamp}\n`, 'latin1'), body]);
  const inlinedLast = [method, target, timestamp, headers['X-Nonce'] ?? '', headers['X-Idempotency-Key'] ?? '', ''];
  switch (name) {
    case 'inbound':
      return [
        { says: 'the string of the POS and partner routes is signed', signed: inlined },
        {
          says: 'the body itself is signed, not its SHA-256',
          signed: Buffer.concat([Buffer.from(inlinedLast.join('\n'), 'latin1'), body]),
        },
      ];
    case 'webhook':
      return [{ says: 'the string of the partner routes is signed', signed: inlined }];
    case 'service':
      return [{ says: 'the string of the POS and partner routes is signed', signed: inlined }];
    default:
      return [{ says: 'the body alone is signed', signed: body }];
  }
}

function secrets(secret: string, signed: Buffer): Mistake[] {
  const wrong: [string, Buffer][] = [
    ['the secret is used with a line feed at its end', Buffer.from(`${secret}\n`)],
    ['the secret is decoded from base64, where it is used as it is written', Buffer.from(secret, 'base64')],
    ['the secret is decoded from hex, where it is used as it is written', Buffer.from(secret, 'hex')],
    ['the secret is empty', Buffer.alloc(0)],
  ];
  return wrong.map(([says, instead]) => ({ says, signed, secret: instead }));
}
