// Shows a call of the client as a curl command, without sending it.
import { Kissi } from '@kissi/client';

class NotSent extends Error {}

/** `call` gets a client that records the request, for example `(kissi) => kissi.cards.block(serial, { reason })`. */
export async function curlOf(call: (kissi: Kissi) => PromiseLike<unknown>): Promise<string> {
  let command = '';
  const record = async (input: RequestInfo | URL, init: RequestInit = {}) => {
    command = commandOf(String(input), init);
    throw new NotSent();
  };
  const recorder = new Kissi({
    baseUrl: location.origin,
    maxRetries: 0,
    fetch: record as typeof fetch,
    tokenSource: { accessToken: async () => '$KISSI_TOKEN', renew: async () => false },
  });
  await Promise.resolve(call(recorder)).catch(() => undefined);
  return command;
}

function commandOf(url: string, { method = 'GET', headers, body }: RequestInit): string {
  const { Authorization = '', Accept = '', 'Content-Type': type } = headers as Record<string, string>;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    `-H "Authorization: ${Authorization}"`,
  ];
  if (Accept === 'text/csv') lines.push(`-H ${quoted(`Accept: ${Accept}`)}`);
  if (type) lines.push(`-H ${quoted(`Content-Type: ${type}`)}`);
  if (body instanceof File) lines.push(`--data-binary ${quoted(`@${body.name}`)}`);
  if (body instanceof Uint8Array) lines.push(`-d ${quoted(withoutSecrets(new TextDecoder().decode(body)))}`);
  return lines.join(' \\\n  ');
}

/** PINs and passwords do not belong into the clipboard. `json`: a body of the client. */
export function withoutSecrets(json: string): string {
  return JSON.stringify(JSON.parse(json), (name, value) =>
    isSecret(name) && value !== null ? `<${name.toUpperCase()}>` : value,
  );
}

const isSecret = (name: string) =>
  /^(?:\w+_)?(?:pin|password|secret|token)$|^(?:code|credential|assertion)$/.test(name);

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
