// What the OpenAPI document says about operations beyond their summary, by operation id.
import { BACK_OFFICE_OPERATIONS } from './back-office.ts';
import { INTEGRATOR_OPERATIONS } from './integrators.ts';
import { STAFF_OPERATIONS } from './staff.ts';

export const DESCRIPTIONS: Record<string, string> = {
  ...INTEGRATOR_OPERATIONS,
  ...STAFF_OPERATIONS,
  ...BACK_OFFICE_OPERATIONS,
};
