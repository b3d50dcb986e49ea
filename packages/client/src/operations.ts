// Single operations for programs that must be small: a bundler keeps only those that are imported.

export { createClient } from './create-client.ts';
export * from './generated/sdk.gen.ts';
