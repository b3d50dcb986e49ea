// Logins' settings: how long one lasts, whether staff need a second factor, and the site that passkeys belong to.
import { isIP } from 'node:net';
import { Type } from 'typebox';
import { HOURS_PER_WEEK } from '../clock.ts';
import { type AppEnv, checkedText, flag, integer } from './variable.ts';

/** A year. */
const MAX_SESSION_HOURS = 8_760;

export const secondFactorVariables = {
  REQUIRE_SECOND_FACTOR: Type.Optional(
    flag({
      defaultNote: 'true in production, otherwise false',
      description:
        'true: staff need a second factor (TOTP or passkey). Staff without one can log in only to enrol one; all other routes answer 403 `SECOND_FACTOR_ENROLMENT_REQUIRED`.',
    }),
  ),
  SESSION_MAX_HOURS: integer(1, MAX_SESSION_HOURS, {
    default: HOURS_PER_WEEK,
    description: 'Hours after which a session ends, whatever its activity. 12 is recommended where staff move money.',
  }),
  PUBLIC_ORIGIN: Type.Optional(
    checkedText(
      (value) => originsOf(value).every(isOrigin),
      'must be a list of origins such as https://console.example.com.',
      {
        defaultNote: '`http://localhost:PORT` in development',
        description:
          'Origins of the web pages on which staff log in, separated by commas; https outside development, except localhost. Links to payment pages and receipts begin with the first one. Passkeys are accepted from these origins only. If unset outside development, passkeys are not available.',
      },
    ),
  ),
  WEBAUTHN_RP_ID: Type.Optional(
    checkedText((value) => /^[a-z0-9.-]{1,253}$/.test(value), 'must be a domain name in lower case.', {
      defaultNote: 'the host of the first `PUBLIC_ORIGIN`',
      description:
        'Domain that passkeys are bound to: the host of every `PUBLIC_ORIGIN`, or a parent domain of it. Passkeys become unusable when it changes.',
    }),
  ),
};

export interface WebAuthnConfig {
  rpId: string;
  origins: readonly string[];
}

export interface SecondFactorConfig {
  required: boolean;
  /** Null: passkeys are not available. */
  webauthn: WebAuthnConfig | null;
}

interface SecondFactorValues {
  APP_ENV: AppEnv;
  PORT: number;
  REQUIRE_SECOND_FACTOR?: boolean;
  PUBLIC_ORIGIN?: string;
  WEBAUTHN_RP_ID?: string;
}

export function secondFactorConfig(values: SecondFactorValues): SecondFactorConfig {
  return {
    required: values.REQUIRE_SECOND_FACTOR ?? values.APP_ENV === 'production',
    webauthn: webauthnConfig(values),
  };
}

function webauthnConfig({ APP_ENV, PORT, PUBLIC_ORIGIN, WEBAUTHN_RP_ID }: SecondFactorValues): WebAuthnConfig | null {
  const local = APP_ENV === 'development' ? `http://localhost:${PORT}` : undefined;
  const configured = PUBLIC_ORIGIN ?? local;
  if (configured === undefined) return null;
  const origins = originsOf(configured);
  return { origins, rpId: WEBAUTHN_RP_ID ?? hostOf(origins[0] ?? '') };
}

export function secondFactorFaults(values: SecondFactorValues): string[] {
  const config = webauthnConfig(values);
  if (values.WEBAUTHN_RP_ID !== undefined && !config) return ['WEBAUTHN_RP_ID needs PUBLIC_ORIGIN.'];
  if (!config) return [];
  const faults: string[] = [];
  if (values.APP_ENV !== 'development' && !config.origins.every(isSecure)) {
    faults.push(`PUBLIC_ORIGIN must consist of https origins when APP_ENV is ${values.APP_ENV}.`);
  }
  if (!config.origins.every((origin) => isSameOrParent(config.rpId, hostOf(origin)))) {
    faults.push('WEBAUTHN_RP_ID must be the host of every PUBLIC_ORIGIN, or a parent domain of it.');
  }
  return faults;
}

function originsOf(list: string): string[] {
  return list.split(',').map((origin) => origin.trim());
}

/** Browsers offer WebAuthn for domain names only, not for addresses. */
function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && url.origin === value && /^https?:$/.test(url.protocol) && isIP(bare(url.hostname)) === 0;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Browsers treat localhost as secure. */
function isSecure(origin: string): boolean {
  return origin.startsWith('https://') || hostOf(origin) === 'localhost';
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.hostname ?? '';
}

/** A top-level domain such as "com" is not a valid parent, and localhost has none. */
function isSameOrParent(domain: string, host: string): boolean {
  return domain === host || (domain.includes('.') && host.endsWith(`.${domain}`));
}
