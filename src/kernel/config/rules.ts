// Rules that involve more than one environment variable.
import { approvalFaults } from './approvals.ts';
import { certificateFaults } from './certificates.ts';
import { containsClients } from './checks.ts';
import { type EnvironmentValues, MESSAGING_API_URL_FAULT } from './environment.ts';
import { labFaults } from './integration.ts';
import { noticeFaults } from './notices.ts';
import { secondFactorFaults } from './second-factor.ts';
import { ussdFaults } from './ussd.ts';
import { exampleFault } from './variable.ts';

export interface RuleInput {
  values: EnvironmentValues;
  /** Whether the variable has a value, valid or not. */
  isSet(name: keyof EnvironmentValues): boolean;
}

export function ruleFaults(input: RuleInput): string[] {
  return [
    ...setTogether(input, 'BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD'),
    ...setTogether(input, 'MESSAGING_API_URL', 'MESSAGING_API_TOKEN'),
    ...burstCoversRate(input.values, 'RATE_LIMIT'),
    ...burstCoversRate(input.values, 'USER_RATE_LIMIT'),
    ...outsideDevelopmentRules(input.values),
    ...productionRules(input),
    ...secondFactorFaults(input.values),
    ...approvalFaults(input.values),
    ...agentServiceIsKnown(input.values),
    ...certificateFaults(input.values),
    ...labFaults(input.values),
    ...ussdFaults(input.values),
    ...noticeFaults(input.values),
    ...keysExpireFirst(input.values),
  ];
}

function setTogether({ isSet }: RuleInput, first: keyof EnvironmentValues, second: keyof EnvironmentValues): string[] {
  return isSet(first) === isSet(second) ? [] : [`${first} and ${second} must be set together.`];
}

function burstCoversRate(values: EnvironmentValues, prefix: 'RATE_LIMIT' | 'USER_RATE_LIMIT'): string[] {
  const { requestsPerSecond, burst } = rateLimit(values, prefix);
  return burst < requestsPerSecond ? [`${prefix}_BURST must not be smaller than ${prefix}_RPS.`] : [];
}

/** An idempotency key refers to a movement, which is archived later. A quarter is archived when it is older than the months. */
function keysExpireFirst({ IDEMPOTENCY_DAYS, HISTORY_MONTHS }: EnvironmentValues): string[] {
  const isLater = IDEMPOTENCY_DAYS > HISTORY_MONTHS * 28;
  return isLater ? ['IDEMPOTENCY_DAYS must not be longer than HISTORY_MONTHS, at 28 days each.'] : [];
}

function outsideDevelopmentRules({ APP_ENV, TRUST_PROXY }: EnvironmentValues): string[] {
  if (APP_ENV === 'development') return [];
  // Clients could choose the address that allowlists and rate limits see.
  return trustsEveryone(TRUST_PROXY) ? [`TRUST_PROXY ${TRUST_PROXY_FAULT} when APP_ENV is ${APP_ENV}.`] : [];
}

/** With more hops than proxies, a client chooses its address, as with true. */
const MAX_HOPS = 10;

function trustsEveryone(trustProxy: boolean | number | string): boolean {
  if (typeof trustProxy === 'number') return trustProxy > MAX_HOPS;
  return typeof trustProxy === 'string' ? trustProxy.split(',').some(containsClients) : trustProxy;
}

const TRUST_PROXY_FAULT = 'must be false, a number of hops, or the addresses of the proxies';

function productionRules({ values, isSet }: RuleInput): string[] {
  if (values.APP_ENV !== 'production') return [];
  const faults: string[] = [];
  for (const [name, secret] of Object.entries(values.SERVICE_SECRETS ?? {})) {
    const fault = exampleFault(secret);
    if (fault) faults.push(`SERVICE_SECRETS: ${name} ${fault}`);
  }
  // The requests carry the API token, passwords and PINs.
  const url = values.MESSAGING_API_URL;
  if (url !== undefined && URL.parse(url)?.protocol !== 'https:') {
    faults.push(`MESSAGING_API_URL ${MESSAGING_API_URL_FAULT}`);
  }
  // Whether anybody can register the number of somebody else is the operator's decision.
  if (!isSet('PHONE_VERIFICATION')) faults.push('PHONE_VERIFICATION must be set in production: required or off.');
  // The local outbox cannot be read in production, so no registration could ever be verified.
  if (values.PHONE_VERIFICATION === 'required' && url === undefined && values.SMS_PROVIDER === undefined) {
    faults.push('SMS_PROVIDER or MESSAGING_API_URL must be set when PHONE_VERIFICATION is required.');
  }
  return faults;
}

function agentServiceIsKnown(values: EnvironmentValues): string[] {
  if (values.AGENT_SERVICE_URL === undefined || agentServiceIdentity(values) !== undefined) return [];
  // In development the agent service may be called without a signature.
  const mayBeUnsigned = values.APP_ENV === 'development' && agentServiceName(values) === undefined;
  return mayBeUnsigned ? [] : ['AGENT_SERVICE_NAME must be one of the names in SERVICE_SECRETS.'];
}

export function rateLimit(
  values: EnvironmentValues,
  prefix: 'RATE_LIMIT' | 'USER_RATE_LIMIT',
): { requestsPerSecond: number; burst: number } {
  const requestsPerSecond = values[`${prefix}_RPS`];
  return { requestsPerSecond, burst: values[`${prefix}_BURST`] ?? Math.max(200, requestsPerSecond) };
}

export function agentServiceIdentity(values: EnvironmentValues): { name: string; secret: string } | undefined {
  const name = agentServiceName(values);
  const secret = new Map(Object.entries(values.SERVICE_SECRETS ?? {})).get(name ?? '');
  return name !== undefined && secret !== undefined ? { name, secret } : undefined;
}

function agentServiceName({ AGENT_SERVICE_NAME, SERVICE_SECRETS = {} }: EnvironmentValues): string | undefined {
  const [only, ...others] = Object.keys(SERVICE_SECRETS);
  return AGENT_SERVICE_NAME ?? (others.length === 0 ? only : undefined);
}
