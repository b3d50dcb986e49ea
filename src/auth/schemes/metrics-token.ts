// Authentication of GET /metrics: the configured token or, if none is configured, requests from the local machine.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../../kernel/refusal.ts';
import { PUBLIC_CALLER } from '../caller.ts';
import { type Authentication, header } from './scheme.ts';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i;
/** Headers that proxies add. A request with one of them is not local, even if the proxy is not trusted. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

/** A configured token is required locally too: a local proxy that adds no header looks like a local client. */
export function metricsAuthentication(token: string | undefined): Authentication {
  const expected = token === undefined ? null : digest(token);
  return {
    name: 'metrics',
    needsBody: false,
    async authenticate({ headers, ip }) {
      if (expected === null) {
        const sentence = 'Metrics are served to the local machine only, unless METRICS_TOKEN is set.';
        return isLocal(ip, headers) ? PUBLIC_CALLER : refuse('UNAUTHORIZED', sentence);
      }
      const bearer = header(headers, 'authorization')?.match(/^Bearer +(\S+)$/i)?.[1];
      if (bearer === undefined)
        return refuse('UNAUTHORIZED', 'The header Authorization: Bearer <METRICS_TOKEN> is missing.');
      if (!timingSafeEqual(digest(bearer), expected))
        return refuse('UNAUTHORIZED', 'The token is not the METRICS_TOKEN.');
      return { kind: 'service', id: 'metrics' };
    },
  };
}

function isLocal(ip: string, headers: IncomingHttpHeaders): boolean {
  return LOOPBACK.test(ip) && FORWARDED.every((name) => headers[name] === undefined);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
