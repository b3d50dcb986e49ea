// Parses database URLs that name several hosts, in libpq's syntax.
export interface Host {
  readonly host: string;
  readonly port: number;
}

export interface Address {
  /** The URL with its first host only. Its other parts apply to all hosts. */
  readonly url: string;
  /** Empty if the URL names one host without target_session_attrs: the client connects to it without a probe. */
  readonly hosts: readonly Host[];
}

const DEFAULT_PORT = 5432;
const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/** Example: `postgresql://user:password@a:5432,b:5432,c:5432/kissi?target_session_attrs=read-write` */
export function parseAddress(url: string): Address {
  const [, prefix = '', authority = '', path = '', query = ''] = URL_PARTS.exec(url) ?? [];
  const names = authority.split(',');
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const others = parameters.filter((parameter) => !parameter.startsWith('target_session_attrs='));
  if (names.length === 1 && others.length === parameters.length) return { url, hosts: [] };
  const rest = others.length > 0 ? `?${others.join('&')}` : '';
  return { url: `${prefix}${names[0]}${path}${rest}`, hosts: names.map(parseHost) };
}

/** One URL for each host of a URL that names several. */
export function urlPerHost(url: string): string[] {
  const [, prefix = '', authority = '', path = '', query = ''] = URL_PARTS.exec(url) ?? [];
  return authority.split(',').map((name) => `${prefix}${name}${path}${query ? `?${query}` : ''}`);
}

/** The host of a URL that names one. */
export function hostOf(url: string): Host {
  const [, , authority = ''] = URL_PARTS.exec(url) ?? [];
  return parseHost(authority);
}

function parseHost(text: string): Host {
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  // IPv6 addresses are in brackets, socket directories are percent-encoded.
  const host = decodeURIComponent(name.replace(/^\[(.*)\]$/, '$1'));
  return { host: host || 'localhost', port: Number(port ?? DEFAULT_PORT) };
}
