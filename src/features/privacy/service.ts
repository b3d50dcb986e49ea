// Personal data of customers: its export, and its erasure.
import type { PrivacyContext } from './context.ts';
import { createErasure } from './erasure.ts';
import { createExport } from './export.ts';

export type { PrivacyContext } from './context.ts';

export type Privacy = ReturnType<typeof createPrivacy>;

export function createPrivacy(context: PrivacyContext) {
  return { export: createExport(context), erasure: createErasure(context) };
}
