// Account statements, the public part of this feature.
export { type AccountStatements, createAccountStatements, type Statement } from './statement.ts';
