// Compiles each distinct JSON schema once per process: most routes have the same error replies and parameters.
import buildAjv from '@fastify/ajv-compiler';
import buildStringify from '@fastify/fast-json-stringify-compiler';

/**
 * For Fastify's schemaController. A server has about 1,300 reply schemas, of which about 200 differ: compiling each
 * once takes a third of the time. All servers of a process must have the same Ajv options.
 */
export const schemaCompilers = {
  buildValidator: once(buildAjv()),
  buildSerializer: once(buildStringify()),
};

type Compile = (route: { schema?: unknown }) => unknown;

/** The types of Fastify's compilers do not describe that they are called with a route. */
function once<Factory extends (...args: never[]) => unknown>(factory: Factory): Factory {
  const compiled = new Map<string, unknown>();
  const build = (...args: never[]): Compile => {
    const compile = factory(...args) as Compile;
    return (route) => {
      const text = JSON.stringify(route.schema);
      if (!compiled.has(text)) compiled.set(text, compile(route));
      return compiled.get(text);
    };
  };
  return build as unknown as Factory;
}
