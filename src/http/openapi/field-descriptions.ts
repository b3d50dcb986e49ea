// Describes the fields and parameters of the OpenAPI document whose schemas have no description of their own.
import type { Components, Parameter } from './components.ts';
import type { Operation } from './operation.ts';
import type { Schema } from './schema.ts';

export interface FieldDescriptions {
  /** By component and field, or operation and parameter: 'Card.label', 'listCards.parent_serial'. */
  records: Record<string, string>;
  /** Enumerations by their values: 'active|suspended'. The same set of values means the same everywhere. */
  values: Record<string, string>;
  /** By the field's name, where nothing more specific applies. */
  names: Record<string, string>;
  /** What null means in the field of this name, appended where it can be null. */
  nulls: Record<string, string>;
}

interface Place {
  record: string;
  name: string;
  schema: Schema;
}

export function describeFields(operations: Operation[], components: Components, texts: FieldDescriptions): void {
  const describe = (place: Place) => descriptionOf(place, texts);
  for (const [name, schema] of Object.entries(components.schemas)) describeSchema(schema, name, describe);
  for (const { operationId, parameters = [] } of operations) {
    for (const parameter of parameters) if ('name' in parameter) describeParameter(parameter, operationId, describe);
  }
}

type Describe = (place: Place) => string | undefined;

function descriptionOf({ record, name, schema }: Place, { records, values, names, nulls }: FieldDescriptions) {
  const own = records[`${record}.${name}`];
  // The component describes itself.
  if (own || schema.$ref) return own;
  const general = values[valuesOf(schema)] ?? (Object.hasOwn(names, name) ? names[name] : undefined);
  return general && isNullable(schema) && nulls[name] ? `${general} ${nulls[name]}` : general;
}

export function isNullable({ type, enum: values, anyOf }: Schema): boolean {
  const branches = (anyOf ?? []) as Schema[];
  return (
    [type, values].some((each) => Array.isArray(each) && (each.includes('null') || each.includes(null))) ||
    branches.some((each) => each.type === 'null')
  );
}

function valuesOf(schema: Schema): string {
  const { enum: values = [] } = schema as { enum?: unknown[] };
  return values.filter((value) => value !== null).join('|');
}

function describeParameter(parameter: Parameter, operationId: string, describe: Describe): void {
  if (parameter.description) return;
  const description = describe({ record: operationId, name: parameter.name, schema: parameter.schema });
  if (description) parameter.description = description;
}

/** Fields of objects inside a component belong to that component. */
function describeSchema(schema: Schema, record: string, describe: Describe): void {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as Record<string, unknown> & {
    properties?: Record<string, Schema>;
    items?: Schema;
    anyOf?: Schema[];
  };
  for (const inner of [...(items ? [items] : []), ...anyOf]) describeSchema(inner, record, describe);
  for (const [name, field] of Object.entries(properties)) {
    describeSchema(field, record, describe);
    if (field.description) continue;
    const description = describe({ record, name, schema: field });
    if (description) field.description = description;
  }
}
