// Admits the console's own requests only: a page of another site must not use the session cookie of a browser.
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../../kernel/refusal.ts';
import { PUBLIC_CALLER } from '../caller.ts';
import { type Authentication, header } from './scheme.ts';

/** In addition to the cookie's SameSite=Strict, which admits pages of other subdomains. */
export const sameOriginAuthentication: Authentication = {
  name: 'same-origin',
  needsBody: false,
  async authenticate({ headers }) {
    return isSameOrigin(headers) ? PUBLIC_CALLER : refuse('UNAUTHORIZED', 'Only pages of this service may call this.');
  },
};

/** For forms that programs may send too: refused only if the browser says that a page of another site sends it. */
export const otherSitesRefused: Authentication = {
  name: 'none',
  needsBody: false,
  async authenticate({ headers }) {
    if (!isOtherSite(headers)) return PUBLIC_CALLER;
    return refuse('FORBIDDEN', 'Only pages of this service and programs may call this.');
  },
};

/** Browsers without Sec-Fetch-Site name no origin, or `null`, for a page with the policy no-referrer, as those of this service. */
function isOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = header(headers, 'sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = URL.parse(header(headers, 'origin') ?? '');
  return origin !== null && origin.host !== header(headers, 'host');
}

/** Browsers set these headers, and scripts cannot change them. Browsers send Sec-Fetch-Site over HTTPS and to localhost. */
function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const site = header(headers, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const [origin, host] = [URL.parse(header(headers, 'origin') ?? ''), header(headers, 'host')];
  return origin !== null && host !== undefined && origin.host === host && isTrusted(origin);
}

/** As for the cookie, which is Secure. A proxy ends TLS, so the service does not see the scheme of the request. */
function isTrusted({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
