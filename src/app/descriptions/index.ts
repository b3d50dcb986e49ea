// What the OpenAPI document says about operations beyond their summary, and about fields.
import type { FieldDescriptions } from '../../http/openapi/field-descriptions.ts';
import { BACK_OFFICE_OPERATIONS } from './back-office.ts';
import { FIELD_NAMES, FIELD_VALUES, NULL_MEANINGS } from './fields.ts';
import { INTEGRATOR_OPERATIONS } from './integrators.ts';
import { RECORD_FIELDS } from './record-fields.ts';
import { STAFF_OPERATIONS } from './staff.ts';

/** By operation id. */
export const DESCRIPTIONS: Record<string, string> = {
  ...INTEGRATOR_OPERATIONS,
  ...STAFF_OPERATIONS,
  ...BACK_OFFICE_OPERATIONS,
};

export const FIELD_DESCRIPTIONS: FieldDescriptions = {
  records: RECORD_FIELDS,
  values: FIELD_VALUES,
  names: FIELD_NAMES,
  nulls: NULL_MEANINGS,
};
