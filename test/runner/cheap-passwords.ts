// Loaded before a test file with `node --import`: password hashes cost microseconds instead of 40 ms of CPU time.
import { registerHooks } from 'node:module';

const CHEAP = new URL('./cheap-argon2.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isReplaced = specifier === '@node-rs/argon2' && context.parentURL?.endsWith('/src/auth/passwords.ts');
    return next(isReplaced ? CHEAP : specifier, context);
  },
});
