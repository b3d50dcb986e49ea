// Configuration: reads an environment once, reports every fault at once, and hands out plain values.
import { isIP } from 'node:net';
import { getCountries } from 'libphonenumber-js/min';
import { type MessagingConfig, messagingConfig } from './messaging-config.ts';
import { isStrongPassword, PASSWORD_RULE } from './password-policy.ts';

export type { AgentServiceConfig, MessagingConfig } from './messaging-config.ts';

export type AppEnv = 'development' | 'staging' | 'production';
export const SECRET_NAMES = ['JWT_SECRET', 'MASTER_KEY', 'PIN_PEPPER'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

export interface Config {
  appEnv: AppEnv;
  host: string;
  port: number;
  dataDir: string;
  /** Unset: the embedded server under dataDir. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  redisUrl: string | undefined;
  /** Unset in development: generated once and kept under dataDir. */
  secrets: Partial<Record<SecretName, string>>;
  bootstrapAdmin: { email: string | undefined; password: string | undefined };
  rateLimit: { requestsPerSecond: number; burst: number };
  /** Of a user who is logged in. */
  userRateLimit: { requestsPerSecond: number; burst: number };
  publicRegistrationPerMinute: number;
  loginsPerMinute: number;
  /** Requests served at once by each door; a crowd beyond is sent away. */
  maxInFlight: number;
  maxConnections: number;
  trustProxy: boolean | number | string;
  /** Name of a calling internal service → its secret. */
  serviceSecrets: ReadonlyMap<string, string>;
  country: string;
  keyRotationOverlapSeconds: number;
  /** Whether only cards that are in stock can be linked. */
  cardsRequireStock: boolean;
  /** Whether webhooks may go to loopback and private addresses. */
  webhookAllowPrivate: boolean;
  /** Cash-in notifications: what they are signed with, and the partner that owes them; both may be unset. */
  partnerCashin: { webhookSecret: string | undefined; partnerId: string | undefined };
  messaging: MessagingConfig;
  /** Minor units: the most that one funding of an agent's float may be. */
  agentFundMax: number;
  /** Reads the figures; unset: from this machine alone. */
  metricsToken: string | undefined;
  logLevel: string;
}

export type Environment = Record<string, string | undefined>;

export class ConfigFaults extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

// Different ones.
const MIN_CHARACTERS = 8;
const MIN_SECRET_LENGTH = 32;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function loadConfig(env: Environment): Config {
  const reader = new Reader(env);
  const appEnv = reader.choice('APP_ENV', ['development', 'staging', 'production'], 'development') as AppEnv;
  const serviceSecrets = reader.serviceSecrets(appEnv);
  const config: Config = {
    appEnv,
    host: reader.text('HOST') ?? '127.0.0.1',
    port: reader.integer('PORT', 8080, { min: 0, max: 65_535 }),
    dataDir: reader.text('DATA_DIR') ?? './data',
    databaseUrl: reader.databaseUrl(),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 24, { min: 5, max: 1_000 }),
    redisUrl: reader.url('REDIS_URL', ['redis:', 'rediss:']),
    secrets: reader.secrets(appEnv),
    bootstrapAdmin: reader.bootstrapAdmin(appEnv),
    rateLimit: reader.rateLimit('RATE_LIMIT', 100),
    userRateLimit: reader.rateLimit('USER_RATE_LIMIT', 50),
    publicRegistrationPerMinute: reader.integer('PUBLIC_REGISTRATION_PER_MINUTE', 10, { min: 1, max: 1_000_000 }),
    loginsPerMinute: reader.integer('LOGINS_PER_MINUTE', 300, { min: 1, max: 1_000_000 }),
    maxInFlight: reader.integer('MAX_IN_FLIGHT', 128, { min: 16, max: 100_000 }),
    maxConnections: reader.integer('MAX_CONNECTIONS', 10_000, { min: 10, max: 1_000_000 }),
    trustProxy: reader.trustProxy(),
    serviceSecrets,
    country: reader.choice('DEFAULT_COUNTRY', getCountries(), 'SL'),
    keyRotationOverlapSeconds: reader.integer('KEY_ROTATION_OVERLAP_SECONDS', 86_400, { min: 0, max: 90 * 86_400 }),
    cardsRequireStock: reader.choice('CARDS_REQUIRE_STOCK', ['true', 'false'], 'false') === 'true',
    webhookAllowPrivate: reader.choice('WEBHOOK_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true',
    partnerCashin: reader.partnerCashin(appEnv),
    messaging: messagingConfig(reader, { appEnv, serviceSecrets, secretFault: (value) => secretFault(value, appEnv) }),
    agentFundMax: reader.integer('AGENT_FUND_MAX', 1_000_000_000, { min: 1, max: Number.MAX_SAFE_INTEGER }),
    metricsToken: reader.secret('METRICS_TOKEN', appEnv),
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  if (reader.faults.length > 0) throw new ConfigFaults(reader.faults);
  return config;
}

class Reader {
  readonly faults: string[] = [];
  private readonly env: Environment;

  constructor(env: Environment) {
    this.env = env;
  }

  /** An empty variable counts as unset, as compose files and shells tend to leave them. */
  text(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' ? undefined : value;
  }

  integer(name: string, fallback: number, range: { min: number; max: number }): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range.min && value <= range.max) return value;
    this.faults.push(`${name} must be a whole number from ${range.min} to ${range.max}.`);
    return fallback;
  }

  /** Requests per second, and a burst of 200 or as many unless told. */
  rateLimit(name: string, fallback: number): { requestsPerSecond: number; burst: number } {
    const range = { min: 1, max: 1_000_000 };
    const requestsPerSecond = this.integer(`${name}_RPS`, fallback, range);
    const burst = this.integer(`${name}_BURST`, Math.max(200, requestsPerSecond), range);
    if (burst < requestsPerSecond) this.faults.push(`${name}_BURST must not be smaller than ${name}_RPS.`);
    return { requestsPerSecond, burst };
  }

  choice(name: string, allowed: readonly string[], fallback: string): string {
    const value = this.text(name) ?? fallback;
    if (allowed.includes(value)) return value;
    const listed = allowed.length > 10 ? 'a known code' : `one of ${allowed.join(', ')}`;
    this.faults.push(`${name} must be ${listed}.`);
    return fallback;
  }

  url(name: string, protocols: string[]): string | undefined {
    const text = this.text(name);
    // Several hosts or a socket folder make a valid database address that URL cannot parse: look at the start only.
    if (text === undefined || protocols.some((protocol) => text.startsWith(`${protocol}//`))) return text;
    this.faults.push(`${name} must start with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`);
    return undefined;
  }

  databaseUrl(): string | undefined {
    const url = this.url('DATABASE_URL', ['postgresql:', 'postgres:']);
    const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(url ?? '')?.[1];
    if (wanted === undefined || wanted === 'read-write' || wanted === 'primary') return url;
    this.faults.push('DATABASE_URL must have read-write or primary as its target_session_attrs: the service writes.');
    return undefined;
  }

  secrets(appEnv: AppEnv): Config['secrets'] {
    const secrets: Config['secrets'] = {};
    for (const name of SECRET_NAMES) {
      const value = this.text(name);
      if (value !== undefined) secrets[name] = value;
      const fault = secretFault(value, appEnv);
      if (fault) this.faults.push(`${name} ${fault}`);
    }
    return secrets;
  }

  bootstrapAdmin(appEnv: AppEnv): Config['bootstrapAdmin'] {
    const email = this.text('BOOTSTRAP_ADMIN_EMAIL');
    const password = this.text('BOOTSTRAP_ADMIN_PASSWORD');
    if ((email === undefined) !== (password === undefined)) {
      this.faults.push('BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD must be set together.');
    }
    if (password !== undefined && !isStrongPassword(password)) {
      this.faults.push(`BOOTSTRAP_ADMIN_PASSWORD ${PASSWORD_RULE}.`);
    }
    if (password !== undefined && appEnv === 'production' && looksDefault(password)) {
      this.faults.push(`BOOTSTRAP_ADMIN_PASSWORD ${LOOKS_DEFAULT}`);
    }
    return { email, password };
  }

  /** May be unset; where it is set it must be worth something. */
  secret(name: string, appEnv: AppEnv): string | undefined {
    const value = this.text(name);
    const fault = value === undefined ? null : secretFault(value, appEnv);
    if (fault) this.faults.push(`${name} ${fault}`);
    return value;
  }

  /** Optional everywhere; where it is set in production it must be worth something. */
  partnerCashin(appEnv: AppEnv): Config['partnerCashin'] {
    const webhookSecret = this.text('PARTNER_CASHIN_WEBHOOK_SECRET');
    const fault = webhookSecret !== undefined && appEnv === 'production' ? secretFault(webhookSecret, appEnv) : null;
    if (fault) this.faults.push(`PARTNER_CASHIN_WEBHOOK_SECRET ${fault}`);
    return { webhookSecret, partnerId: this.text('PARTNER_CASHIN_PARTNER_ID') };
  }

  trustProxy(): Config['trustProxy'] {
    const text = this.text('TRUST_PROXY');
    if (text === undefined || text === 'false') return false;
    if (text === 'true') return true;
    if (/^\d+$/.test(text)) return Number(text);
    if (text.split(',').every((entry) => isAddressBlock(entry.trim()))) return text;
    this.faults.push('TRUST_PROXY must be true, false, a number of hops, or a list of addresses or CIDR blocks.');
    return false;
  }

  serviceSecrets(appEnv: AppEnv): ReadonlyMap<string, string> {
    const text = this.text('SERVICE_SECRETS');
    if (text === undefined) return new Map();
    const entries = parseObject(text);
    if (!entries?.every(([, secret]) => typeof secret === 'string' && secret.length >= 16)) {
      this.faults.push(
        'SERVICE_SECRETS must be a JSON object of name → secret, each secret of at least 16 characters.',
      );
      return new Map();
    }
    for (const [name, secret] of entries as [string, string][]) {
      if (appEnv === 'production' && looksDefault(secret))
        this.faults.push(`SERVICE_SECRETS: ${name} ${LOOKS_DEFAULT}`);
    }
    return new Map(entries as [string, string][]);
  }
}

function secretFault(value: string | undefined, appEnv: AppEnv): string | null {
  if (value === undefined) return appEnv === 'development' ? null : `must be set when APP_ENV is ${appEnv}.`;
  if (value.length < MIN_SECRET_LENGTH) return `must have at least ${MIN_SECRET_LENGTH} characters.`;
  return looksDefault(value) && appEnv === 'production' ? LOOKS_DEFAULT : null;
}

const LOOKS_DEFAULT = 'looks like a default; make a random one (openssl rand -base64 32).';

/** What is found in examples, or typed in haste. */
function looksDefault(value: string): boolean {
  return new Set(value).size < MIN_CHARACTERS || /change.?me|default|example|placeholder/i.test(value);
}

function isAddressBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
}

function parseObject(text: string): [string, unknown][] | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : null;
  } catch {
    return null;
  }
}
