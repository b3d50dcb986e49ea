// What the routes of staff reply with.
import { okOrRefusal, type Reply } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { CaseDetails } from './service.ts';

/** Of every route that names a case. */
export const SEEN = ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'] as const;

export function changed(message: string, details: CaseDetails | Refusal): Reply | Refusal {
  return details instanceof Refusal ? details : okOrRefusal({ success: true, message, case: details });
}
