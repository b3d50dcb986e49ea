// PUT: a client may send back the record that GET returned. Fields that did not change are no edit.
import { type TObject, type TSchema, Type } from 'typebox';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { ERROR_MESSAGE } from './validation.ts';

const READ_ONLY = 'is read-only';

/**
 * The body of a PUT: the editable fields, and the other fields of the record, which are accepted while they are
 * unchanged. `reasons` says for a read-only field how it changes. The handler gets only the editable fields.
 */
export function putBody<Editable extends TObject>(
  editable: Editable,
  record: TObject,
  reasons: Record<string, string> = {},
): Editable {
  const names = Object.keys(record.properties).filter((name) => !(name in editable.properties));
  const readOnly = names.map((name) => [name, readOnlyField(record.properties[name] as TSchema, reasons[name])]);
  const properties = { ...editable.properties, ...Object.fromEntries(readOnly) };
  return Type.Object(properties, isPartial(editable) ? NOT_EMPTY : {}) as unknown as Editable;
}

const NOT_EMPTY = { minProperties: 1, [ERROR_MESSAGE]: 'contains no field to change' };

function readOnlyField(field: TSchema, reason = READ_ONLY): TSchema {
  const description = 'Accepted while it is unchanged.';
  return Type.Optional(Type.Unsafe({ ...field, readOnly: true, description, [ERROR_MESSAGE]: reason }));
}

/** A body without required fields changes single fields; the others keep their values. */
function isPartial({ required = [] }: { required?: readonly string[] }): boolean {
  return required.length === 0;
}

/** Removes read-only fields and, from partial updates, fields that have the value of the current record. */
export function changesOf(
  body: Record<string, unknown>,
  schema: TSchema,
  current: Record<string, unknown> | null,
): Record<string, unknown> | Refusal {
  const { properties = {} } = schema as { properties?: Record<string, Record<string, unknown>> };
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const unchanged = current !== null && isSame(value, current[name]);
    if (properties[name]?.readOnly) {
      if (current !== null && !unchanged) return changedReadOnly(name, String(properties[name][ERROR_MESSAGE]));
    } else if (!unchanged || !isPartial(schema as { required?: string[] })) changes[name] = value;
  }
  return changes;
}

/** Amounts are read as text. */
function isSame(sent: unknown, stored: unknown): boolean {
  if (typeof sent === 'string' && typeof stored === 'number') return sent === String(stored);
  return canonicalJson(sent) === canonicalJson(stored);
}

function changedReadOnly(name: string, reason: string): Refusal {
  return refuse('INVALID_REQUEST', `${name} ${reason}: omit it, or send its current value.`);
}
