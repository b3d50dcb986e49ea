// The environment variables of the service. docs/configuration.md and .env.example are generated from these schemas.
import { getCountries } from 'libphonenumber-js/min';
import { type Static, Type } from 'typebox';
import { isStrongPassword, PASSWORD_RULE } from '../password-policy.ts';
import { approvalVariables } from './approvals.ts';
import { certificateVariables } from './certificates.ts';
import { isAddressBlock, isWebUrl } from './checks.ts';
import { databaseVariables } from './database.ts';
import { integrationVariables } from './integration.ts';
import { MAINTENANCE } from './maintenance.ts';
import { noticeVariables } from './notices.ts';
import { partnerVariables } from './partners.ts';
import { paymentCodeVariables } from './payment-codes.ts';
import { secondFactorVariables } from './second-factor.ts';
import { secretSourceVariables } from './secret-sources.ts';
import { signingKeyVariables } from './signing-keys.ts';
import { tracingVariables } from './tracing.ts';
import { ussdVariables } from './ussd.ts';
import { checkedText, choice, flag, integer, keyRing, secret, sharedSecret, text } from './variable.ts';
import { pageVariables } from './web-pages.ts';

const MAX_RATE = 1_000_000;
const MAX_GATEWAYS = 256;
const DAY_SECONDS = 86_400;

const server = {
  APP_ENV: choice(['development', 'staging', 'production'], {
    default: 'development',
    description:
      'development, staging or production. API keys start with `svc_live_` in production and with `svc_test_` elsewhere.',
  }),
  HOST: text({ default: '127.0.0.1', description: 'Address to listen on.' }),
  PORT: integer(0, 65_535, { default: 8080, description: 'Port to listen on. 0 selects a free port.' }),
  GATEWAYS: Type.Union([Type.Literal('auto'), Type.Integer({ minimum: 1, maximum: MAX_GATEWAYS })], {
    default: 1,
    fault: `must be auto or a number from 1 to ${MAX_GATEWAYS}.`,
    description:
      'Gateway processes behind the port: a number, or auto for one per processor. A supervisor starts them, replaces any that ends, and restarts them one by one on SIGHUP.',
  }),
  MAX_CONNECTIONS: integer(10, 1_000_000, {
    default: 10_000,
    description: 'Maximum number of open client connections. Further connections are closed.',
  }),
  MAX_IN_FLIGHT: integer(16, 100_000, {
    default: 128,
    description:
      'Requests that one gateway process serves concurrently in each lane (changes, reads, uploads, conversations). Bursts wait; sustained overload is rejected with 503 and `Retry-After`.',
  }),
  FAST_LANE: choice(['on', 'off'], {
    default: 'on',
    description: 'off: payments are served like all other requests, with the same replies for more processor time.',
  }),
  TRUST_PROXY: Type.Union(
    [
      Type.Boolean(),
      Type.Integer({ minimum: 0 }),
      checkedText((value) => value.split(',').every((entry) => isAddressBlock(entry.trim())), '', { description: '' }),
    ],
    {
      default: false,
      fault: 'must be true, false, a number of hops, or a list of addresses or CIDR blocks.',
      description:
        'Proxies whose `X-Forwarded-For` is trusted: false, a number of hops, or a comma-separated list of addresses and CIDR blocks. true trusts every address and is accepted in development only.',
    },
  ),
  ...pageVariables,
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'trace, debug, info, warn, error, fatal or silent. Logs are JSON lines on standard error.',
  }),
  METRICS_TOKEN: Type.Optional(
    secret({
      description:
        'Bearer token for `GET /metrics`, at least 32 characters. If unset, only local requests are answered.',
    }),
  ),
  MAINTENANCE,
};

const longLived = { defaultNote: 'generated in development', requiredOutsideDevelopment: true };

const secrets = {
  JWT_SECRET: Type.Optional(
    secret({ ...longLived, description: 'Signs access tokens. At least 32 characters. Required outside development.' }),
  ),
  MASTER_KEY: Type.Optional(
    keyRing({
      ...longLived,
      description:
        'Encrypts stored secrets and keys the seals. One value of at least 32 characters, which has the key id `k1`, or several such as `k2:…,k1:…`: the first is used for new values. Change it as [keys](operations/keys.md) describes. Required outside development.',
    }),
  ),
  PIN_PEPPER: Type.Optional(
    keyRing({
      ...longLived,
      description:
        'Keys the PIN hashes. One value of at least 32 characters, or several, as for `MASTER_KEY`. Required outside development.',
    }),
  ),
  ...secretSourceVariables,
  ...signingKeyVariables,
  SERVICE_SECRETS: Type.Optional(
    Type.Record(Type.String(), Type.String({ minLength: 16 }), {
      fault: 'must be a JSON object of name → secret, each secret at least 16 characters long.',
      description:
        'JSON object of internal service names and their secrets, each at least 16 characters long. These services may call the API; the agent service is called under one of the names.',
    }),
  ),
  SERVICE_BODY_HASH: choice(['optional', 'required'], {
    default: 'optional',
    description:
      'required: a service must put `body_sha256` into the signed query of a request with a body. optional: without it, one signature is valid for several bodies for 5 minutes, once per body.',
  }),
};

const firstAdministrator = {
  BOOTSTRAP_ADMIN_EMAIL: Type.Optional(
    text({
      description:
        'Email address of the first system_admin in an empty database. Set it together with the password. If unset, an account is created and its password is printed once.',
    }),
  ),
  BOOTSTRAP_ADMIN_PASSWORD: Type.Optional(
    checkedText(isStrongPassword, `${PASSWORD_RULE}.`, {
      rejectExampleInProduction: true,
      description: `Password of the first system_admin. It ${PASSWORD_RULE}.`,
    }),
  ),
};

const rate = (defaultRate: number, description: string) => integer(1, MAX_RATE, { default: defaultRate, description });
const burst = (rateName: string, owner: string) =>
  Type.Optional(
    integer(1, MAX_RATE, {
      defaultNote: `200, or \`${rateName}\` if that is greater`,
      description: `Burst of one ${owner}. Must not be smaller than \`${rateName}\`.`,
    }),
  );

const rateLimits = {
  RATE_LIMIT_RPS: rate(100, 'Requests per second for one API key.'),
  RATE_LIMIT_BURST: burst('RATE_LIMIT_RPS', 'API key'),
  USER_RATE_LIMIT_RPS: rate(50, 'Requests per second for one logged-in user.'),
  USER_RATE_LIMIT_BURST: burst('USER_RATE_LIMIT_RPS', 'logged-in user'),
  LOGINS_PER_MINUTE: rate(300, 'Logins, refreshes and logouts of staff per minute per client address.'),
  CUSTOMER_LOGINS_PER_MINUTE: rate(
    1_200,
    "Customers' logins, refreshes and logouts per minute per client address, which a mobile operator's customers share.",
  ),
  CUSTOMER_CODES_PER_MINUTE: rate(
    60,
    "Codes for customers' logins that are sent per minute because of one client address. Beyond them a login takes a code that was asked for by USSD.",
  ),
  PUBLIC_REGISTRATION_PER_MINUTE: rate(10, 'Registrations without a credential per minute per client address.'),
  PUBLIC_PAGES_PER_MINUTE: rate(
    600,
    'Payment and receipt pages per minute per client address, which many phones of a mobile network share; a twentieth of it for messages that a payment page sends.',
  ),
};

const domain = {
  OPERATOR_NAME: text({ default: 'Kissi', description: "The operator's legal name, shown on evidence." }),
  DEFAULT_COUNTRY: choice(getCountries(), {
    default: 'SL',
    fault: 'must be a known code.',
    description: 'ISO 3166 code of the country whose local phone numbers are accepted.',
  }),
  KEY_ROTATION_OVERLAP_SECONDS: integer(0, 90 * DAY_SECONDS, {
    default: DAY_SECONDS,
    description: 'How long the old API key and secret stay valid after a rotation.',
  }),
  CARDS_REQUIRE_STOCK: flag({
    default: false,
    description: 'true: only cards already in stock can be linked. false: linking adds an unknown serial to the stock.',
  }),
  VERIFY_CARD_BALANCE: choice(['on', 'off'], {
    default: 'on',
    description: 'off: verify-card returns null instead of the balance, for every holder. Terminals seldom need it.',
  }),
  PHONE_VERIFICATION: choice(['off', 'required'], {
    default: 'off',
    description:
      'Must be set in production. required: every registration, including those by agents, keys and staff, is PENDING until the code sent to its phone number is entered; a changed number receives nothing before its code is entered. off: it is ACTIVE at once.',
  }),
  REFUSE_COMMON_PINS: Type.Optional(
    flag({
      defaultNote: 'true in production, otherwise false',
      description: 'true: very common PINs (0000, 1234, years, …) cannot be set.',
    }),
  ),
  RECALL_WINDOW_HOURS: integer(1, 720, {
    default: 24,
    description:
      'How many hours after a transfer its sender can recall it without a decision by staff ([cases](decisions/cases.md)).',
  }),
  RETENTION_YEARS: integer(1, 50, {
    default: 5,
    description:
      "How many years a customer's personal data is kept after the last payment, case or alert; before that it cannot be erased. The default is the least that FATF Recommendation 11 asks of financial institutions and the record-keeping duty of Sierra Leone's anti-money-laundering law follows ([personal data](operations/personal-data.md)).",
  }),
  AGENT_FUND_MAX: integer(1, Number.MAX_SAFE_INTEGER, {
    default: 1_000_000_000,
    description: "Maximum amount for funding an agent's float once, in minor units.",
  }),
  TREASURY_DAILY_LIMIT: integer(1, Number.MAX_SAFE_INTEGER, {
    default: 10_000_000_000,
    description:
      'Maximum amount the treasury issues in one UTC day, across all gateways, in minor units. Further fundings are refused with 422 `TREASURY_LIMIT_EXCEEDED`.',
  }),
};

const webUrlFault = (schemes: string) => `must be a URL that begins with ${schemes}, without a user, a fragment or |.`;
export const MESSAGING_API_URL_FAULT = webUrlFault('https:// (outside production also http://)');

const messaging = {
  MESSAGING_API_URL: Type.Optional(
    checkedText(isWebUrl, MESSAGING_API_URL_FAULT, {
      description:
        'Endpoint that outgoing texts are posted to (WhatsApp Cloud API); https in production. Set it together with the token. If unset, texts stay in the local outbox.',
    }),
  ),
  MESSAGING_API_TOKEN: Type.Optional(text({ description: 'Bearer token for `MESSAGING_API_URL`.' })),
  MESSAGING_VERIFY_TOKEN: Type.Optional(
    text({
      description:
        'Token that the messaging platform presents to verify `GET /webhooks/messaging`. If unset, the route answers 403.',
    }),
  ),
  MESSAGING_APP_SECRET: Type.Optional(
    sharedSecret({
      requiredOutsideDevelopment: true,
      description:
        'Secret that the messaging platform signs messages with. Required outside development, where unsigned messages are refused.',
    }),
  ),
  MESSAGING_BRIDGE_PER_MINUTE: rate(30, 'Requests on the messaging bridge per minute per client address.'),
  MESSAGING_UNSIGNED_PER_MINUTE: rate(600, 'Unsigned requests on the messaging webhook per minute per client address.'),
  AGENT_SERVICE_URL: Type.Optional(
    checkedText(isWebUrl, webUrlFault('https:// or http://'), {
      description: 'Service that answers incoming messages. If unset, a fixed answer is sent.',
    }),
  ),
  AGENT_SERVICE_NAME: Type.Optional(
    text({
      defaultNote: 'the only name in `SERVICE_SECRETS`',
      description: 'Name in `SERVICE_SECRETS` under which the agent service is called.',
    }),
  ),
  AGENT_SERVICE_TIMEOUT_MS: integer(100, 25_000, {
    default: 10_000,
    description: "How long to wait for the agent service's answer, in milliseconds.",
  }),
};

/** In the order of the documentation. APP_ENV comes first: other variables depend on it. */
export const VARIABLE_GROUPS = {
  Server: server,
  Database: databaseVariables,
  Secrets: secrets,
  'First administrator': firstAdministrator,
  Logins: secondFactorVariables,
  Approvals: approvalVariables,
  'Rate limits': rateLimits,
  Domain: domain,
  Partners: { ...partnerVariables, ...certificateVariables },
  Messaging: messaging,
  Notices: noticeVariables,
  Integrators: integrationVariables,
  'Payment codes': paymentCodeVariables,
  USSD: ussdVariables,
  Tracing: tracingVariables,
};

export const ENVIRONMENT = Type.Object({
  ...server,
  ...databaseVariables,
  ...secrets,
  ...firstAdministrator,
  ...secondFactorVariables,
  ...approvalVariables,
  ...rateLimits,
  ...domain,
  ...partnerVariables,
  ...certificateVariables,
  ...messaging,
  ...noticeVariables,
  ...integrationVariables,
  ...paymentCodeVariables,
  ...ussdVariables,
  ...tracingVariables,
});

export type EnvironmentValues = Static<typeof ENVIRONMENT>;
