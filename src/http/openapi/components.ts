// The named components of the OpenAPI document. Each is written once, and everything else refers to it.
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { pascalCase, published, type Schema } from './schema.ts';

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, { schema: Schema; examples?: object }>;
}

type Kind = 'schemas' | 'parameters' | 'responses';

const reference = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` });

export const headerReference = (name: string): Reference => reference('headers', name);

export class Components {
  readonly schemas: Record<string, Schema> = {};
  readonly parameters: Record<string, Parameter> = {};
  readonly responses: Record<string, Response> = {};

  /** A request or reply: a component under its title, or under this name. */
  body(schema: object, name: string): Schema {
    const { title = name, ...rest } = published(schema);
    return { ...this.add('schemas', String(title), this.withReferences(rest)) };
  }

  /** Replaces every part of the schema that has a title by a reference to the component of that name. */
  part(schema: object): Schema {
    return this.withReferences(published(schema));
  }

  response(response: Response, name: string): Reference {
    return this.add('responses', name, response);
  }

  /** Parameters that several operations share become components. */
  shareParameters(operations: readonly { operationId: string; parameters?: (Parameter | Reference)[] }[]): void {
    const uses = new Map<string, number>();
    const all = operations.flatMap(({ parameters = [] }) => parameters);
    for (const parameter of all) uses.set(canonicalJson(parameter), (uses.get(canonicalJson(parameter)) ?? 0) + 1);
    for (const { operationId, parameters = [] } of operations) {
      for (const [index, parameter] of parameters.entries()) {
        const isShared = (uses.get(canonicalJson(parameter)) ?? 0) > 1;
        if (isShared && 'name' in parameter) parameters[index] = this.sharedParameter(parameter, operationId);
      }
    }
  }

  /** Named after itself, or after the first operation that has it if another parameter has that name. */
  private sharedParameter(parameter: Parameter, operationId: string): Reference {
    const text = canonicalJson(parameter);
    const known = Object.entries(this.parameters).find(([, other]) => canonicalJson(other) === text);
    if (known) return reference('parameters', known[0]);
    const name = pascalCase(parameter.name);
    return this.add('parameters', name in this.parameters ? `${pascalCase(operationId)}${name}` : name, parameter);
  }

  /** A name stands for one definition: a different one under the same name is a defect. */
  private add(kind: Kind, name: string, component: Schema | Parameter | Response): Reference {
    const components = this[kind] as Record<string, unknown>;
    const existing = components[name];
    if (existing !== undefined && canonicalJson(existing) !== canonicalJson(component)) {
      throw new Error(`two different ${kind} of the OpenAPI document are called ${name}`);
    }
    components[name] = component;
    return reference(kind, name);
  }

  private withReferences(schema: Schema): Schema {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.referring(value)]));
  }

  private referring(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.referring(each));
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...rest } = value as Schema;
    // A read-only field of a PUT has its own description, so it does not use the record's component.
    if (typeof title !== 'string' || rest.readOnly)
      return this.withReferences(typeof title === 'string' ? rest : (value as Schema));
    return this.add('schemas', title, this.withReferences(rest));
  }
}
