// Checks of the configuration: environment, secrets, and doors that must be closed in production.
import { exampleFault } from '../../../kernel/config/variable.ts';
import { parseKeys } from '../../../kernel/key-ring.ts';
import { type Check, type Examined, fail, fine, warn } from '../check.ts';

const GENERATE = 'openssl rand -base64 32';

export const CONFIGURATION_CHECKS: readonly Check[] = [
  { id: 'environment', area: 'configuration', name: 'Environment', run: environment },
  { id: 'secrets', area: 'configuration', name: 'Secrets', run: secrets },
  { id: 'anchor_key', area: 'configuration', name: 'Key of the anchors', run: anchorKey },
  { id: 'service_signatures', area: 'configuration', name: 'Signatures of internal services', run: serviceSignatures },
  { id: 'metrics', area: 'configuration', name: 'Access to metrics', run: metrics },
  { id: 'webhook_addresses', area: 'configuration', name: 'Addresses of webhooks', run: webhookAddresses },
];

function environment({ config: { appEnv } }: Examined) {
  if (appEnv === 'production') return fine('APP_ENV is production.');
  return fail(
    `APP_ENV is ${appEnv}: test keys work, and rules of production do not apply.`,
    'Set APP_ENV=production, and what the service then asks for.',
  );
}

function secrets({ config }: Examined) {
  const set = new Map(Object.entries(config.secrets));
  const missing = ['JWT_SECRET', 'MASTER_KEY', 'PIN_PEPPER', 'CLOSE_SIGNING_KEY'].filter((name) => !set.has(name));
  if (missing.length > 0) {
    return fail(
      `Not set: ${missing.join(', ')}. Development generates them in DATA_DIR, next to the data they protect.`,
      `Set each to its own random value (${GENERATE}) before the first customer.`,
    );
  }
  const keys = [...set].flatMap(([name, text]) => parseKeys(text).map(({ value }): [string, string] => [name, value]));
  const named = [...keys, ...otherSecrets(config)];
  const weak = named.filter(([, value]) => exampleFault(value) !== null).map(([name]) => name);
  if (weak.length > 0) return fail(`Looks like an example: ${weak.join(', ')}.`, `Generate it: ${GENERATE}.`);
  const shared = sharedNames(named);
  if (shared.length > 0) {
    return fail(`The same value is used for ${shared.join(' and ')}.`, `Give each secret its own value: ${GENERATE}.`);
  }
  return fine('All secrets are set, different and random.');
}

function otherSecrets({ metricsToken, messaging, partnerCashin, ussd, serviceSecrets }: Examined['config']) {
  const named: [string, string | undefined][] = [
    ['METRICS_TOKEN', metricsToken],
    ['MESSAGING_APP_SECRET', messaging.appSecret],
    ['PARTNER_CASHIN_WEBHOOK_SECRET', partnerCashin.webhookSecret],
    ...ussd.secrets.map((value): [string, string] => ['USSD_SECRET', value]),
    ...[...serviceSecrets].map(([name, value]): [string, string] => [`SERVICE_SECRETS (${name})`, value]),
  ];
  return named.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
}

/** The names of the first value that occurs twice. */
function sharedNames(named: readonly [string, string][]): string[] {
  const byValue = Map.groupBy(named, ([, value]) => value);
  const shared = [...byValue.values()].find((each) => each.length > 1) ?? [];
  return shared.map(([name]) => name);
}

function anchorKey({ config: { anchorSigningKey } }: Examined) {
  if (anchorSigningKey !== undefined) return fine('ANCHOR_SIGNING_KEY is set.');
  return warn(
    'Anchors would be signed with a key derived from MASTER_KEY: whoever has it can sign a changed history.',
    'Sign them on another machine: set ANCHOR_SIGNING_KEY where npm run ledger:anchor runs (docs/operations/verify.md).',
  );
}

function serviceSignatures({ config: { serviceSecrets, serviceBodyHash } }: Examined) {
  if (serviceSecrets.size === 0) return fine('No internal service may call.');
  if (serviceBodyHash === 'required') return fine('A signature of an internal service covers the body.');
  return warn(
    'A signature of an internal service is valid for several bodies during 5 minutes.',
    'Let the services send body_sha256, then set SERVICE_BODY_HASH=required.',
  );
}

function metrics({ config: { metricsToken } }: Examined) {
  if (metricsToken !== undefined) return fine('METRICS_TOKEN is set.');
  return warn(
    'Without METRICS_TOKEN metrics are served to local clients: a proxy on this machine that adds no header is one.',
    'Set METRICS_TOKEN, and give it to Prometheus.',
  );
}

function webhookAddresses({ config: { webhookAllowPrivate } }: Examined) {
  if (!webhookAllowPrivate) return fine('Webhooks go to public addresses only.');
  return fail(
    'WEBHOOK_ALLOW_PRIVATE is true: partners and merchants can make the service call your internal network.',
    'Set WEBHOOK_ALLOW_PRIVATE=false.',
  );
}
