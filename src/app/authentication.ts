// Creates the authentication schemes that the route table uses.
import type { KeyRecords } from '../auth/key-records.ts';
import { bearerAuthentication, noAuthentication } from '../auth/schemes/bearer.ts';
import { bearerOrSigned, partnerAuthentication, posAuthentication } from '../auth/schemes/hmac.ts';
import { inboundAuthentication } from '../auth/schemes/inbound.ts';
import { metricsAuthentication } from '../auth/schemes/metrics-token.ts';
import { pathSecretAuthentication } from '../auth/schemes/path-secret.ts';
import { sameOriginAuthentication } from '../auth/schemes/same-origin.ts';
import type { Authentication } from '../auth/schemes/scheme.ts';
import { eitherOf, serviceAuthentication, withBody } from '../auth/schemes/service.ts';
import { hubAuthentication, webhookAuthentication } from '../auth/schemes/webhook.ts';
import type { NonceStore } from '../auth/signatures/nonces.ts';
import { createAccessTokens } from '../auth/tokens.ts';
import { createVault } from '../auth/vault.ts';
import type { GatewayOptions } from './gateway-options.ts';

export interface Credentials {
  none: Authentication;
  /** This service's pages. */
  sameOrigin: Authentication;
  bearer: Authentication;
  bearerOrService: Authentication;
  /** Routes without a body that keys may sign. */
  bearerOrSigned: Authentication;
  /** For routes with a body, which the signature covers. */
  bearerOrSignedBody: Authentication;
  /** For routes with a body, which the service's signature covers through a hash in the query. */
  bearerOrSendingService: Authentication;
  /** Terminals and apps. */
  pos: Authentication;
  partner: Authentication;
  inbound: Authentication;
  /** The sender of cash-in notifications. */
  cashinWebhook: Authentication;
  /** Metrics scrapers. */
  metrics: Authentication;
  /** The messaging platform. */
  messagingPlatform: Authentication;
  ussdGateway: Authentication;
  /** The lab's phone; nobody in production. */
  ussdLab: Authentication;
}

export interface CredentialStores {
  keys: KeyRecords;
  nonces: NonceStore;
}

/** `/ussd/africastalking/:secret` */
const USSD_PATH = { name: 'ussd', segment: 3 };

export function createCredentials(options: GatewayOptions, { keys, nonces }: CredentialStores): Credentials {
  const { config, database, secrets, clock } = options;
  const tokens = createAccessTokens({ secret: secrets.JWT_SECRET, clock });
  const requireSecondFactor = config.secondFactor.required;
  const { sessionMaxMs } = config;
  const bearer = bearerAuthentication({
    ...{ reader: database.reader, keys, tokens, clock, requireSecondFactor, sessionMaxMs },
  });
  const service = serviceAuthentication({ serviceSecrets: config.serviceSecrets, clock });
  const signed = { keys, vault: createVault(secrets.MASTER_KEY), clock };
  const pos = posAuthentication(signed);
  return {
    none: noAuthentication,
    sameOrigin: sameOriginAuthentication,
    bearer,
    bearerOrService: eitherOf(bearer, service),
    bearerOrSendingService: eitherOf(bearer, withBody(service, { bodyHash: config.serviceBodyHash }), {
      needsBody: true,
    }),
    bearerOrSigned: bearerOrSigned(bearer, pos),
    bearerOrSignedBody: bearerOrSigned(bearer, pos, { needsBody: true }),
    pos,
    partner: partnerAuthentication(signed),
    inbound: inboundAuthentication({ ...signed, nonces }),
    cashinWebhook: webhookAuthentication('partner-cashin', config.partnerCashin.webhookSecret),
    metrics: metricsAuthentication(config.metricsToken),
    ussdGateway: pathSecretAuthentication({ ...config.ussd, ...USSD_PATH }),
    ussdLab: pathSecretAuthentication({
      ...{ ...config.ussd, ...USSD_PATH },
      secrets: config.appEnv === 'production' ? [] : config.ussd.secrets,
    }),
    messagingPlatform: hubAuthentication(config.messaging.appSecret, { unsigned: config.appEnv === 'development' }),
  };
}
