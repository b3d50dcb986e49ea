// Every stored value that names a key: secrets under MASTER_KEY, and hashes under PIN_PEPPER.

import type { RecordKind } from '../../audit/records.ts';
import { ownKeyContext } from '../../auth/own-keys.ts';
import { pepperIdsSql } from '../../auth/pins/hasher.ts';
import { keyIdSql } from '../../auth/vault.ts';
import { secretContext } from '../../features/admin/second-factor/verification.ts';

export const KEY_NAMES = ['MASTER_KEY', 'PIN_PEPPER'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/** A column whose values are written again under the new key. */
export interface StoredColumn {
  table: string;
  column: string;
  /** SQL that orders the rows, and finds one of them; text. */
  id: string;
  /** The protected record that a row belongs to, by the id of `owner`. */
  record?: (owner: string) => RecordKind;
  /** SQL of the owner's id; `id` by default. */
  owner?: string;
  /** What the value is bound to. */
  context?: (owner: string) => string;
  /** Rows in one transaction. */
  batch?: number;
}

const ofRecord = (kind: RecordKind) => () => kind;
const ofOwner = (id: string): RecordKind => (id.startsWith('agent_') ? 'agent' : 'subscriber');

export const SEALED_COLUMNS: readonly StoredColumn[] = [
  {
    ...{ table: 'totp_enrolments', column: 'sealed_secret', id: 'user_id' },
    ...{ record: ofRecord('user'), context: secretContext },
  },
  {
    ...{ table: 'api_key_credentials', column: 'sealed_secret', id: `encode(bearer_hash, 'hex')`, owner: 'key_id' },
    record: ofRecord('api_key'),
  },
  {
    ...{ table: 'partner_webhook_secrets', column: 'sealed_secret', id: `lpad(id::text, 20, '0')` },
    ...{ owner: 'partner_id', record: ofRecord('partner') },
  },
  ...['sealed_secret', 'previous_secret'].map((column) => ({
    ...{ table: 'webhook_endpoints', column, id: 'id', record: ofRecord('webhook_endpoint') },
  })),
  ...['sealed_input', 'sealed_result'].map((column) => ({
    ...{ table: 'approvals', column, id: 'id', record: ofRecord('approval') },
  })),
  { table: 'messages', column: 'sealed_text', id: 'id' },
  { table: 'incoming_messages', column: 'sealed_text', id: 'id' },
  { table: 'payment_requests', column: 'sealed_token', id: 'id' },
  { table: 'case_files', column: 'sealed', id: 'id', batch: 5 },
  { table: 'customer_keys', column: 'sealed_key', id: 'subscriber_id', context: ownKeyContext },
  { table: 'ussd_sessions', column: 'sealed', id: 'id', context: (id) => `ussd:${id}` },
  { table: 'retired_keys', column: 'sealed_key', id: 'id', context: retiredContext },
];

export function retiredContext(id: string): string {
  return `retired:${id}`;
}

export const HASHED_COLUMNS: readonly StoredColumn[] = [
  { table: 'pins', column: 'hash', id: 'owner_id', record: ofOwner },
  { table: 'recovery_codes', column: 'hash', id: `user_id || encode(hash, 'hex')` },
];

/** Values that end soon by themselves. */
interface ShortLived {
  table: string;
  column: string;
  until: string;
}

const CODES = [
  'pep_access',
  'phone_verifications',
  'pin_resets',
  'customer_challenges',
  'customer_ussd_codes',
] as const;
export const SHORT_LIVED: Readonly<Record<KeyName, readonly ShortLived[]>> = {
  MASTER_KEY: [{ table: 'second_factor_challenges', column: 'mac', until: 'expires_at' }],
  PIN_PEPPER: [...CODES, 'password_recoveries'].map((table) => ({
    ...{ table, column: 'code_hash', until: 'code_expires_at' },
  })),
};

export const ID_SQL: Readonly<Record<KeyName, (column: string) => string>> = {
  MASTER_KEY: keyIdSql,
  PIN_PEPPER: pepperIdsSql,
};

export const COLUMNS: Readonly<Record<KeyName, readonly StoredColumn[]>> = {
  MASTER_KEY: SEALED_COLUMNS,
  PIN_PEPPER: HASHED_COLUMNS,
};
