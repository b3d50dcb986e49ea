// Who may knock: the ways of authenticating that rows of the route table name.
import type { Authentication } from '../auth/authenticate.ts';
import { bearerAuthentication, noAuthentication } from '../auth/bearer.ts';
import { posAuthentication } from '../auth/hmac.ts';
import type { KeyRecords } from '../auth/key-records.ts';
import { eitherOf, serviceAuthentication } from '../auth/service.ts';
import { createAccessTokens } from '../auth/tokens.ts';
import { createVault } from '../auth/vault.ts';
import type { Parts } from './services.ts';

export interface Credentials {
  none: Authentication;
  bearer: Authentication;
  bearerOrService: Authentication;
  /** Terminals and apps. */
  pos: Authentication;
}

export function createCredentials({ config, database, secrets, clock }: Parts, keys: KeyRecords): Credentials {
  const tokens = createAccessTokens({ secret: secrets.JWT_SECRET, clock });
  const bearer = bearerAuthentication({ reader: database.reader, keys, tokens, clock });
  const service = serviceAuthentication({ serviceSecrets: config.serviceSecrets, clock });
  const pos = posAuthentication({ keys, vault: createVault(secrets.MASTER_KEY), clock });
  return { none: noAuthentication, bearer, bearerOrService: eitherOf(bearer, service), pos };
}
