// Who may knock: the ways of authenticating that rows of the route table name.
import type { Authentication } from '../auth/authenticate.ts';
import { bearerAuthentication, noAuthentication } from '../auth/bearer.ts';
import { partnerAuthentication } from '../auth/hmac.ts';
import { inboundAuthentication } from '../auth/inbound.ts';
import { keyRecords } from '../auth/key-records.ts';
import type { NonceStore } from '../auth/nonces.ts';
import { eitherOf, serviceAuthentication } from '../auth/service.ts';
import { createAccessTokens } from '../auth/tokens.ts';
import { createVault } from '../auth/vault.ts';
import { webhookAuthentication } from '../auth/webhook.ts';
import type { Parts } from './services.ts';

export interface Credentials {
  none: Authentication;
  bearer: Authentication;
  bearerOrService: Authentication;
  partner: Authentication;
  inbound: Authentication;
  /** Whoever notifies of cash-ins. */
  cashinWebhook: Authentication;
}

export function createCredentials({ config, database, secrets, clock }: Parts, nonces: NonceStore): Credentials {
  const keys = keyRecords(database.reader);
  const tokens = createAccessTokens({ secret: secrets.JWT_SECRET, clock });
  const bearer = bearerAuthentication({ reader: database.reader, keys, tokens, clock });
  const service = serviceAuthentication({ serviceSecrets: config.serviceSecrets, clock });
  const signed = { keys, vault: createVault(secrets.MASTER_KEY), clock };
  const partner = partnerAuthentication(signed);
  const inbound = inboundAuthentication({ ...signed, nonces });
  const cashinWebhook = webhookAuthentication('partner-cashin', config.partnerCashin.webhookSecret);
  const bearerOrService = eitherOf(bearer, service);
  return { none: noAuthentication, bearer, bearerOrService, partner, inbound, cashinWebhook };
}
