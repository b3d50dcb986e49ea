// Compiles each distinct JSON schema once per process, when it is first used: most schemas are of replies that are rare.
import buildAjv from '@fastify/ajv-compiler';
import buildStringify from '@fastify/fast-json-stringify-compiler';

const validators = new Map<string, unknown>();

/**
 * For Fastify's schemaController. A server has about 1,300 schemas, of which about 200 differ; compiling those takes most
 * of the time that a gateway needs to start. All servers of a process must have the same Ajv options.
 */
export const schemaCompilers = {
  buildValidator: once(buildAjv(), lazyValidator, validators),
  buildSerializer: once(buildStringify(), lazySerializer),
};

type Compile = (route: { schema?: unknown }) => unknown;
export type Validate = ((data: unknown) => unknown) & { errors?: unknown };
type Serialize = (data: unknown) => string;

const uses: (() => unknown)[] = [];

/** Compiles what the servers of this process have not used yet. A test calls it: no schema may be invalid. */
export function compileAll(): number {
  for (const compile of uses) compile();
  return uses.length;
}

/** The validator of a schema that a server of this process has. */
export function validatorFor(schema: object): Validate {
  const found = validators.get(JSON.stringify(schema));
  if (!found) throw new Error('no route has this schema');
  return found as Validate;
}

/** The types of Fastify's compilers do not describe that they are called with a route. */
function once<Factory extends (...args: never[]) => unknown>(
  factory: Factory,
  lazily: (compile: () => unknown) => unknown,
  compiled = new Map<string, unknown>(),
): Factory {
  const build = (...args: never[]): Compile => {
    const compile = factory(...args) as Compile;
    return (route) => {
      const text = JSON.stringify(route.schema);
      if (!compiled.has(text)) compiled.set(text, lazily(atFirstUse(() => compile(route))));
      return compiled.get(text);
    };
  };
  return build as unknown as Factory;
}

function atFirstUse(compile: () => unknown): () => unknown {
  let result: unknown;
  const use = () => {
    result ??= compile();
    return result;
  };
  uses.push(use);
  return use;
}

/** Fastify reads the errors from the function that it called. */
function lazyValidator(compile: () => unknown): Validate {
  const validate: Validate = (data) => {
    const run = compile() as Validate;
    const isValid = run(data);
    validate.errors = run.errors;
    return isValid;
  };
  return validate;
}

function lazySerializer(compile: () => unknown): Serialize {
  return (data) => (compile() as Serialize)(data);
}
