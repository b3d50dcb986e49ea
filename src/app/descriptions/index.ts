// What the OpenAPI document says about fields whose schemas have no description.
import type { FieldDescriptions } from '../../http/openapi/field-descriptions.ts';
import { FIELD_NAMES, FIELD_VALUES, NULL_MEANINGS } from './fields.ts';
import { RECORD_FIELDS } from './record-fields.ts';

export const FIELD_DESCRIPTIONS: FieldDescriptions = {
  records: RECORD_FIELDS,
  values: FIELD_VALUES,
  names: FIELD_NAMES,
  nulls: NULL_MEANINGS,
};
