// Lists common signing mistakes: for each one, the string or the secret that an integrator uses instead of the right one.
import type { HttpRequest, Scheme } from './schemes.ts';

export interface Mistake {
  /** A clause that completes "Cause: …". */
  description: string;
  signedString: Buffer;
  /** Set if the mistake is in the use of the secret. */
  secret?: Buffer;
}

/** A mistake that is equivalent to signing another request. */
interface RequestMistake {
  description: string;
  request: HttpRequest;
}

export function commonMistakes(scheme: Scheme, request: HttpRequest, secret: string): Mistake[] {
  const expected = scheme.signedString(request);
  if (expected === null) return [];
  const requestMistakes = [
    ...requestLineMistakes(request),
    ...headerMistakes(scheme, request),
    ...bodyMistakes(request),
  ].flatMap((mistake) => {
    const signedString = scheme.signedString(mistake.request);
    return signedString === null ? [] : [{ description: mistake.description, signedString }];
  });
  const all = [...requestMistakes, ...separatorMistakes(expected, scheme), ...otherSchemeMistakes(scheme, request)];
  return [...all.filter(({ signedString }) => !signedString.equals(expected)), ...secretMistakes(secret, expected)];
}

function requestLineMistakes(request: HttpRequest): RequestMistake[] {
  const { method, target, headers } = request;
  const path = target.split('?', 1)[0] ?? target;
  const host = headers.Host ?? 'localhost';
  const withTarget = (description: string, other: string) => ({ description, request: { ...request, target: other } });
  return [
    { description: 'the method is in lower case', request: { ...request, method: method.toLowerCase() } },
    withTarget('the path is signed without its query string', path),
    withTarget('the path is signed without /api/v1', target.replace(/^\/api\/v1/, '')),
    withTarget('the path is signed without its leading slash', target.replace(/^\//, '')),
    withTarget('the path is signed with a trailing slash', `${path}/`),
    withTarget('the path is signed percent-decoded instead of as sent', decoded(target)),
    ...['http', 'https'].map((protocol) =>
      withTarget('the full URL is signed instead of the path', `${protocol}://${host}${target}`),
    ),
  ];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function headerMistakes({ timestampHeader }: Scheme, request: HttpRequest): RequestMistake[] {
  const withHeader = (description: string, name: string, value: string): RequestMistake => ({
    description,
    request: { ...request, headers: { ...request.headers, [name]: value } },
  });
  const mistakes = ['X-Idempotency-Key', 'X-Nonce'].map((name) =>
    withHeader(`${name} is sent but not signed`, name, ''),
  );
  const timestamp = timestampHeader && request.headers[timestampHeader];
  if (!timestamp) return mistakes;
  const at = new Date(/^\d+$/.test(timestamp) ? Number(timestamp) * 1_000 : timestamp);
  if (Number.isNaN(at.getTime())) return mistakes;
  const formats = {
    'with milliseconds': at.toISOString(),
    'without milliseconds': at.toISOString().replace(/\.\d+Z$/, 'Z'),
    'with +00:00': at.toISOString().replace(/\.\d+Z$/, '+00:00'),
    'in Unix seconds': String(Math.floor(at.getTime() / 1_000)),
    'in Unix milliseconds': String(at.getTime()),
  };
  for (const [format, value] of Object.entries(formats)) {
    mistakes.push(withHeader(`${timestampHeader} is signed ${format} instead of as sent`, timestampHeader, value));
  }
  return mistakes;
}

function bodyMistakes(request: HttpRequest): RequestMistake[] {
  const text = request.body.toString('utf8');
  const bodies: [string, string][] = [
    ["the body's trailing line feed is not signed", text.replace(/\r?\n$/, '')],
    ['a trailing line feed is signed that the body does not have', `${text}\n`],
    ['the body is signed without its leading and trailing white space', text.trim()],
    ['the body is not signed', ''],
  ];
  const json = parsed(text);
  if (json !== undefined) {
    const description = 'the signed body is the same JSON in a different format than the one sent';
    const formats = [JSON.stringify(json), JSON.stringify(json, null, 2), spaced(json), JSON.stringify(sorted(json))];
    bodies.push(...formats.map((body): [string, string] => [description, body]));
  }
  return bodies.map(([description, body]) => ({ description, request: { ...request, body: Buffer.from(body) } }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** On one line with a space after each colon and comma, like Python's json.dumps. */
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

function separatorMistakes(expected: Buffer, { name }: Scheme): Mistake[] {
  if (name === 'webhook') return [];
  const text = expected.toString('latin1');
  const [separator, others] = name === 'service' ? ['|', ['\n', '']] : ['\n', ['\r\n', '\\n', '|', '']];
  return [
    ...others.map((other) => ({
      description: `the fields are separated by ${JSON.stringify(other)} instead of ${JSON.stringify(separator)}`,
      signedString: Buffer.from(text.replaceAll(separator, other), 'latin1'),
    })),
    {
      description: 'a line feed is signed after the last field',
      signedString: Buffer.concat([expected, Buffer.from('\n')]),
    },
  ];
}

/** Signing the string that another scheme defines. */
function otherSchemeMistakes({ name }: Scheme, { method, target, headers, body }: HttpRequest): Mistake[] {
  const timestamp = headers['X-Timestamp'] ?? headers['X-Service-Timestamp'] ?? '';
  const posString = Buffer.concat([Buffer.from(`${method}\n${target}\n${timestamp}\n`, 'latin1'), body]);
  const inboundHead = [method, target, timestamp, headers['X-Nonce'] ?? '', headers['X-Idempotency-Key'] ?? '', ''];
  switch (name) {
    case 'inbound':
      return [
        { description: 'the signed string is the one for POS and partner routes', signedString: posString },
        {
          description: 'the body is signed instead of its SHA-256',
          signedString: Buffer.concat([Buffer.from(inboundHead.join('\n'), 'latin1'), body]),
        },
      ];
    case 'webhook':
      return [{ description: 'the signed string is the one for partner routes', signedString: posString }];
    case 'service':
      return [{ description: 'the signed string is the one for POS and partner routes', signedString: posString }];
    default:
      return [{ description: 'only the body is signed', signedString: body }];
  }
}

function secretMistakes(secret: string, signedString: Buffer): Mistake[] {
  const wrongSecrets: [string, Buffer][] = [
    ['the secret is used with a trailing line feed', Buffer.from(`${secret}\n`)],
    ['the secret is decoded from base64; use it as text', Buffer.from(secret, 'base64')],
    ['the secret is decoded from hex; use it as text', Buffer.from(secret, 'hex')],
    ['the secret is empty', Buffer.alloc(0)],
  ];
  return wrongSecrets.map(([description, wrong]) => ({ description, signedString, secret: wrong }));
}
