// A database address that names several hosts, as libpq reads it: one of them takes writes, and which one may change.
export interface Host {
  readonly host: string;
  readonly port: number;
}

export interface Address {
  /** The address with its first host alone: what all of them have in common. */
  readonly url: string;
  /** Empty where the address names one host and asks nothing of it: then it is simply connected to. */
  readonly hosts: readonly Host[];
}

const DEFAULT_PORT = 5432;
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/** `postgresql://user:password@a:5432,b:5432,c:5432/kissi?target_session_attrs=read-write` */
export function readAddress(url: string): Address {
  const [, before = '', authority = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  const names = authority.split(',');
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const further = parameters.filter((parameter) => !parameter.startsWith('target_session_attrs='));
  if (names.length === 1 && further.length === parameters.length) return { url, hosts: [] };
  const rest = further.length > 0 ? `?${further.join('&')}` : '';
  return { url: `${before}${names[0]}${path}${rest}`, hosts: names.map(readHost) };
}

function readHost(text: string): Host {
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  // An IPv6 address stands in brackets, the folder of a socket percent-encoded.
  const host = decodeURIComponent(name.replace(/^\[(.*)\]$/, '$1'));
  return { host: host || 'localhost', port: Number(port ?? DEFAULT_PORT) };
}
