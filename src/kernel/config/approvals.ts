// Whether a second user approves sensitive actions from the first start on.
import { Type } from 'typebox';
import { type AppEnv, choice } from './variable.ts';

export const approvalVariables = {
  APPROVALS: Type.Optional(
    choice(['recommended', 'off'], {
      defaultNote: 'off, except in production, where it must be set',
      description:
        'recommended: each start enables the recommended approval policies, except those that two administrators decided otherwise, and every policy change needs a second system_admin (`npm run admin:create` makes one). off: no policy is enabled; a system_admin can enable them. Required in production.',
    }),
  ),
};

interface ApprovalValues {
  APP_ENV: AppEnv;
  APPROVALS?: 'recommended' | 'off';
}

export function approvalFaults({ APP_ENV, APPROVALS }: ApprovalValues): string[] {
  if (APP_ENV !== 'production' || APPROVALS !== undefined) return [];
  return ['APPROVALS must be set to recommended or off when APP_ENV is production.'];
}
