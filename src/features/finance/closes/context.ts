// What the daily close works with.

import type { SigningKey } from '@kissi/signatures/documents';
import type { ChangeContext } from '../../../audit/log.ts';

export interface ClosesContext extends ChangeContext {
  /** Signs new closes. */
  key: SigningKey;
  /** The legal name on the documents. */
  operatorName: string;
}
