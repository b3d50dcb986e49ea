// Public API: start a PostgreSQL server in a data directory, and the tools the drills and tests share.
export { chooseAccount } from './account.ts';
export { prepareBinaries } from './binaries.ts';
export { findCluster } from './cluster.ts';
export { connectionUrl } from './database.ts';
export { EmbeddedServerError } from './errors.ts';
export { readPassword } from './password.ts';
export { sight } from './postmaster.ts';
export { markProcess } from './processes.ts';
export { type EmbeddedServer, startEmbeddedServer } from './server.ts';
export { type Account, runTool } from './tool.ts';
