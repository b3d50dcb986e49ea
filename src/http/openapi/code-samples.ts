// Samples of an operation in the OpenAPI document (x-codeSamples): with @kissi/client and with curl, from the recorded request.
import type { CodeSample, Operation } from './operation.ts';
import { SECURITY_SCHEMES } from './security.ts';

export interface SampledCall {
  /** In upper case. */
  method: string;
  url: string;
  /** The client's method, such as wallet.transfer. */
  clientMethod: string;
  /** The recorded body; undefined: the request has none. */
  request?: unknown;
}

export function codeSamples(operation: Operation, call: SampledCall): CodeSample[] {
  return [
    { lang: 'JavaScript', label: '@kissi/client', source: clientSample(operation, call) },
    { lang: 'Shell', label: 'curl', source: curlSample(operation, call) },
  ];
}

const schemes = ({ security }: Operation) => new Set(Object.keys(security[0] ?? {}));

const fileType = ({ requestBody }: Operation) => {
  const [type] = Object.keys(requestBody?.content ?? {});
  return type === undefined || type === 'application/json' ? undefined : type;
};

function clientSample(operation: Operation, { url, clientMethod, request }: SampledCall): string {
  const path = [...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => camelCase(name));
  const body = fileType(operation) ? ['file'] : request === undefined ? [] : [literal(request)];
  return `import { Kissi } from '@kissi/client';

const kissi = new Kissi({ ${['baseUrl', ...credentials(operation)].join(', ')} });
const reply = await kissi.${clientMethod}(${[...path, ...body].join(', ')});`;
}

function credentials(operation: Operation): string[] {
  const names = schemes(operation);
  if (names.has('partnerId')) return ['keyId', 'secret', 'partnerId'];
  if (names.has('keyId')) return ['keyId', 'secret'];
  return names.has('bearer') ? ['apiKey'] : [];
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A value as JavaScript, with line breaks where it is long. */
function literal(value: unknown, indent = ''): string {
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? quoted(value) : String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const parts = Array.isArray(value)
    ? value.map((each) => literal(each, `${indent}  `))
    : Object.entries(value).map(([name, each]) => `${property(name)}: ${literal(each, `${indent}  `)}`);
  const line = parts.length === 0 ? open.trim() + close.trim() : `${open}${parts.join(', ')}${close}`;
  if (line.length + indent.length <= 80 && !line.includes('\n')) return line;
  return `${open.trim()}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close.trim()}`;
}

const property = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name));
const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** As the introduction of the document shows it for each way to authenticate. */
function curlSample(operation: Operation, call: SampledCall): string {
  const { method, request } = call;
  const path = call.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const type = fileType(operation);
  const signing = signed(operation, method, path);
  const body = request === undefined ? '' : JSON.stringify(request).replaceAll("'", "'\\''");
  const hasBody = request !== undefined && !type;
  const lines = [
    `curl -s ${method === (hasBody || type ? 'POST' : 'GET') ? '' : `-X ${method} `}"$HOST${path}"`,
    ...signing.headers.map((header) => `  -H ${header}`),
    ...(type ? [`  -H 'Content-Type: ${type}'`, '  --data-binary @file'] : []),
    ...(hasBody
      ? ["  -H 'Content-Type: application/json'", signing.commands.length > 0 ? '  -d "$BODY"' : `  -d '${body}'`]
      : []),
  ];
  const first = signing.commands.length > 0 ? [`BODY='${hasBody ? body : ''}'`, ...signing.commands] : [];
  return [...first, lines.join(' \\\n')].join('\n');
}

interface Signing {
  commands: string[];
  /** Quoted for a shell. */
  headers: string[];
}

const HMAC = `openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1`;
const NOW = 'NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ)';

function signed(operation: Operation, method: string, path: string): Signing {
  const names = schemes(operation);
  const signature = (format: string, values: string) => `SIGNATURE=$(printf '${format}' ${values} | ${HMAC})`;
  const headers = ['"X-API-Key-ID: $KEY_ID"', '"X-Timestamp: $NOW"', '"X-Signature: $SIGNATURE"'];
  if (names.has('bearer')) return { commands: [], headers: ['"Authorization: Bearer $TOKEN"'] };
  if (names.has('inboundSignature')) {
    const hasKey = operation.parameters?.some((each) => 'name' in each && each.name === 'x-idempotency-key') ?? false;
    const values = `"${method}" "${path}" "$NOW" "$NONCE" "${hasKey ? '$KEY' : ''}" "$HASH"`;
    return {
      commands: [
        ...[NOW, 'NONCE=$(openssl rand -hex 16)', ...(hasKey ? ['KEY=$(openssl rand -hex 16)'] : [])],
        `HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d ' ' -f 1)`,
        signature('%s\\n%s\\n%s\\n%s\\n%s\\n%s', values),
      ],
      headers: [...headers, '"X-Nonce: $NONCE"', ...(hasKey ? ['"X-Idempotency-Key: $KEY"'] : [])],
    };
  }
  if (names.has('keyId')) {
    const commands = [NOW, signature('%s\\n%s\\n%s\\n%s', `"${method}" "${path}" "$NOW" "$BODY"`)];
    return { commands, headers: [...headers, ...(names.has('partnerId') ? ['"X-Partner-ID: $PARTNER_ID"'] : [])] };
  }
  return { commands: [], headers: [...names].flatMap(otherHeader) };
}

/** For schemes that the introduction does not show: the header with a placeholder. */
function otherHeader(scheme: string): string[] {
  const { name } = (SECURITY_SCHEMES as Record<string, { name?: string }>)[scheme] ?? {};
  return name ? [`"${name}: $${name.toUpperCase().replaceAll('-', '_')}"`] : [];
}
