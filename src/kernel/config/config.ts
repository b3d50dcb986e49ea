// Configuration: reads the environment once and reports all faults together.
import { availableParallelism } from 'node:os';
import { HOUR_MS } from '../clock.ts';
import { partnerCertificates } from './certificates.ts';
import { ENVIRONMENT, type EnvironmentValues } from './environment.ts';
import { type Maintenance, maintenance } from './maintenance.ts';
import { type NoticesConfig, noticesConfig } from './notices.ts';
import { agentServiceIdentity, rateLimit, ruleFaults } from './rules.ts';
import { type SecondFactorConfig, secondFactorConfig } from './second-factor.ts';
import { readSecretSources } from './secret-sources.ts';
import { type TracingConfig, tracingConfig } from './tracing.ts';
import { type UssdConfig, ussdConfig } from './ussd.ts';
import { type AppEnv, parseText, variableFault } from './variable.ts';

export type { AppEnv } from './variable.ts';

export const SECRET_NAMES = ['JWT_SECRET', 'MASTER_KEY', 'PIN_PEPPER', 'CLOSE_SIGNING_KEY'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

export interface Config {
  appEnv: AppEnv;
  host: string;
  port: number;
  /** Gateway processes that the service starts. */
  gateways: number;
  /** Movements in one transaction. */
  maxBatch: number;
  /** How long request ids are kept. */
  idempotencyDays: number;
  /** How many months of movements stay in the database when the ledger is archived. */
  historyMonths: number;
  dataDir: string;
  /** Unset: the embedded server under dataDir. */
  databaseUrl: string | undefined;
  /** The owner's login, for migrations. Unset: the service does not migrate. */
  databaseAdminUrl: string | undefined;
  databasePoolSize: number;
  /** Unset: there are no replicas. */
  replicas: { url: string; maxLagMs: number } | undefined;
  /** Where base backups are; unset: their age is not known. */
  backupDir: string | undefined;
  redisUrl: string | undefined;
  /** Unset in development: generated once and stored under dataDir. */
  secrets: Partial<Record<SecretName, string>>;
  bootstrapAdmin: { email: string | undefined; password: string | undefined };
  /** Limit of one API key. */
  rateLimit: { requestsPerSecond: number; burst: number };
  /** Limit of one logged-in user. */
  userRateLimit: { requestsPerSecond: number; burst: number };
  publicRegistrationPerMinute: number;
  loginsPerMinute: number;
  customerLoginsPerMinute: number;
  customerCodesPerMinute: number;
  publicPagesPerMinute: number;
  /** Of the pages for the public; empty if it is not known. */
  publicOrigin: string;
  /** A session ends so long after its login, whatever its activity. */
  sessionMaxMs: number;
  /** Requests served concurrently in each admission-control lane. */
  maxInFlight: number;
  maxConnections: number;
  fastLane: boolean;
  trustProxy: boolean | number | string;
  /** SHA-256 fingerprints of the client certificates that partners must use, by partner. */
  partnerCertificates: ReadonlyMap<string, readonly string[]>;
  /** Whether the documentation page and the OpenAPI document are served. */
  docs: boolean;
  console: boolean;
  wallet: boolean;
  /** Secrets of the internal services, by service name. */
  serviceSecrets: ReadonlyMap<string, string>;
  /** Unset: derived from MASTER_KEY. */
  anchorSigningKey: string | undefined;
  /** Whether services must put the hash of the body into the signed query. */
  serviceBodyHash: 'optional' | 'required';
  /** The legal name on documents. */
  operatorName: string;
  /** How QR codes identify the operator's merchants. */
  qr: { guid: string; template: number };
  country: string;
  keyRotationOverlapSeconds: number;
  /** Only cards that are in stock can be linked. */
  cardsRequireStock: boolean;
  /** verify-card returns the balance. */
  verifyCardShowsBalance: boolean;
  /** A registration is PENDING until its phone number is verified. */
  verifyPhones: boolean;
  /** Very common PINs cannot be set. */
  refuseCommonPins: boolean;
  /** Webhooks may go to loopback and private addresses. */
  webhookAllowPrivate: boolean;
  partnerCashin: PartnerCashinConfig;
  messaging: MessagingConfig;
  notices: NoticesConfig;
  secondFactor: SecondFactorConfig;
  /** Which approval policies the first start enables. */
  approvals: 'recommended' | 'off';
  /** How long after a transfer its sender can recall it. */
  recallWindowMs: number;
  /** How long a customer's personal data is kept after the last payment, case or alert. */
  retentionYears: number;
  /** Maximum amount for funding an agent's float once, in minor units. */
  agentFundMax: number;
  /** Maximum amount that the treasury issues in one UTC day, in minor units. */
  treasuryDailyLimit: number;
  /** Unset: metrics are served to local clients only. */
  metricsToken: string | undefined;
  logLevel: string;
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined;
  /** null: none is announced. */
  maintenance: Maintenance | null;
  /** Such as `*715#`; empty: there is none. */
  ussdServiceCode: string;
  ussd: UssdConfig;
  /** Never true in production. */
  lab: boolean;
  /** Requests of one API key that are kept per second. */
  requestLogPerSecond: number;
}

/** Cash-in notifications. */
export interface PartnerCashinConfig {
  /** Signs the notifications. */
  webhookSecret: string | undefined;
  /** The partner that owes the credits. Unset: the suspense account is debited. */
  partnerId: string | undefined;
  /** How long an identical body without a reference counts as the same notification. */
  replaySeconds: number;
  /** Maximum debit of the suspense account in one UTC day, in minor units. */
  dailyLimit: number;
}

export interface MessagingConfig {
  /** Token that the platform presents when it verifies the webhook. */
  verifyToken: string | undefined;
  /** Secret that signs incoming messages. Unset only in development: messages are unsigned. */
  appSecret: string | undefined;
  /** Platform that sends outgoing messages. Unset: they stay in the local outbox. */
  platform: { url: string; token: string } | undefined;
  /** Service that answers messages. Unset: a fixed answer is sent. */
  agentService: AgentServiceConfig | undefined;
  /** Requests on the bridge, per client address. */
  bridgePerMinute: number;
  /** Webhook verifications and unsigned messages, per client address. */
  unsignedPerMinute: number;
}

export interface AgentServiceConfig {
  url: string;
  /** Undefined only in development, where requests may be unsigned. */
  identity: { name: string; secret: string } | undefined;
  timeoutMs: number;
}

export type Environment = Record<string, string | undefined>;

export class ConfigFaults extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

export function loadConfig(env: Environment): Config {
  const { values, isSet, faults } = readEnvironment(env);
  faults.push(...ruleFaults({ values, isSet }));
  if (faults.length > 0) throw new ConfigFaults(faults);
  return {
    appEnv: values.APP_ENV,
    host: values.HOST,
    port: values.PORT,
    gateways: values.GATEWAYS === 'auto' ? availableParallelism() : values.GATEWAYS,
    maxBatch: values.MAX_BATCH,
    idempotencyDays: values.IDEMPOTENCY_DAYS,
    historyMonths: values.HISTORY_MONTHS,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseAdminUrl: values.DATABASE_ADMIN_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    replicas: values.DATABASE_READ_URL
      ? { url: values.DATABASE_READ_URL, maxLagMs: values.REPLICA_MAX_LAG_MS }
      : undefined,
    backupDir: values.BACKUP_DIR,
    redisUrl: values.REDIS_URL,
    secrets: Object.fromEntries(SECRET_NAMES.flatMap((name) => (isSet(name) ? [[name, values[name]]] : []))),
    bootstrapAdmin: { email: values.BOOTSTRAP_ADMIN_EMAIL, password: values.BOOTSTRAP_ADMIN_PASSWORD },
    rateLimit: rateLimit(values, 'RATE_LIMIT'),
    userRateLimit: rateLimit(values, 'USER_RATE_LIMIT'),
    publicRegistrationPerMinute: values.PUBLIC_REGISTRATION_PER_MINUTE,
    loginsPerMinute: values.LOGINS_PER_MINUTE,
    customerLoginsPerMinute: values.CUSTOMER_LOGINS_PER_MINUTE,
    customerCodesPerMinute: values.CUSTOMER_CODES_PER_MINUTE,
    publicPagesPerMinute: values.PUBLIC_PAGES_PER_MINUTE,
    publicOrigin: secondFactorConfig(values).webauthn?.origins[0] ?? '',
    sessionMaxMs: values.SESSION_MAX_HOURS * HOUR_MS,
    maxInFlight: values.MAX_IN_FLIGHT,
    maxConnections: values.MAX_CONNECTIONS,
    fastLane: values.FAST_LANE === 'on',
    trustProxy: values.TRUST_PROXY,
    partnerCertificates: partnerCertificates(values),
    docs: values.DOCS === 'on',
    console: values.CONSOLE === 'on',
    wallet: values.WALLET === 'on',
    anchorSigningKey: values.ANCHOR_SIGNING_KEY,
    serviceSecrets: new Map(Object.entries(values.SERVICE_SECRETS ?? {})),
    serviceBodyHash: values.SERVICE_BODY_HASH,
    operatorName: values.OPERATOR_NAME,
    qr: { guid: values.QR_GUID, template: values.QR_TEMPLATE },
    country: values.DEFAULT_COUNTRY,
    keyRotationOverlapSeconds: values.KEY_ROTATION_OVERLAP_SECONDS,
    cardsRequireStock: values.CARDS_REQUIRE_STOCK,
    verifyCardShowsBalance: values.VERIFY_CARD_BALANCE === 'on',
    verifyPhones: values.PHONE_VERIFICATION === 'required',
    refuseCommonPins: values.REFUSE_COMMON_PINS ?? values.APP_ENV === 'production',
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    partnerCashin: {
      webhookSecret: values.PARTNER_CASHIN_WEBHOOK_SECRET,
      partnerId: values.PARTNER_CASHIN_PARTNER_ID,
      replaySeconds: values.PARTNER_CASHIN_REPLAY_SECONDS,
      dailyLimit: values.PARTNER_CASHIN_DAILY_LIMIT,
    },
    messaging: messagingConfig(values),
    notices: noticesConfig(values),
    secondFactor: secondFactorConfig(values),
    approvals: values.APPROVALS ?? 'off',
    recallWindowMs: values.RECALL_WINDOW_HOURS * HOUR_MS,
    retentionYears: values.RETENTION_YEARS,
    agentFundMax: values.AGENT_FUND_MAX,
    treasuryDailyLimit: values.TREASURY_DAILY_LIMIT,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
    tracing: tracingConfig(values),
    ussdServiceCode: values.USSD_SERVICE_CODE,
    ussd: ussdConfig(values),
    maintenance: maintenance(values.MAINTENANCE),
    lab: values.LAB === 'on',
    requestLogPerSecond: values.REQUEST_LOG_PER_SECOND,
  };
}

function messagingConfig(values: EnvironmentValues): MessagingConfig {
  const { MESSAGING_API_URL: apiUrl, MESSAGING_API_TOKEN: token, AGENT_SERVICE_URL: agentUrl } = values;
  return {
    verifyToken: values.MESSAGING_VERIFY_TOKEN,
    appSecret: values.MESSAGING_APP_SECRET,
    platform: apiUrl !== undefined && token !== undefined ? { url: new URL(apiUrl).href, token } : undefined,
    agentService:
      agentUrl === undefined
        ? undefined
        : {
            url: new URL(agentUrl).href,
            timeoutMs: values.AGENT_SERVICE_TIMEOUT_MS,
            identity: agentServiceIdentity(values),
          },
    bridgePerMinute: values.MESSAGING_BRIDGE_PER_MINUTE,
    unsignedPerMinute: values.MESSAGING_UNSIGNED_PER_MINUTE,
  };
}

/** A variable with a fault gets its default, so that the rules can report further faults. */
function readEnvironment(given: Environment) {
  const values: Record<string, unknown> = {};
  const { env, faults } = readSecretSources(given);
  let appEnv: AppEnv = 'development';
  for (const [name, schema] of Object.entries(ENVIRONMENT.properties)) {
    const byDefault = (schema as { default?: unknown }).default;
    const text = textOf(env, name);
    const value = text === undefined ? byDefault : parseText(schema, text);
    const fault = variableFault(schema, value, appEnv);
    if (fault) faults.push(`${name} ${fault}`);
    const accepted = fault ? byDefault : value;
    if (accepted !== undefined) values[name] = accepted;
    if (name === 'APP_ENV') appEnv = accepted as AppEnv;
  }
  const isSet = (name: keyof EnvironmentValues) => textOf(env, name) !== undefined;
  return { values: values as EnvironmentValues, isSet, faults };
}

/** An empty variable counts as unset: shells and compose files often leave variables empty. */
function textOf(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
}
