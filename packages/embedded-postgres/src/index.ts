// Public API: starts a PostgreSQL server in a data directory, plus the building blocks that scripts and tests share.

export { prepareBinaries } from './binaries.ts';
export { findCluster } from './cluster.ts';
export { type OsUser, runCommand } from './command.ts';
export { connectionUrl } from './connection.ts';
export { EmbeddedServerError } from './errors.ts';
export { chooseOsUser } from './os-user.ts';
export { readPassword } from './password.ts';
export { inspectPostmaster } from './postmaster.ts';
export { identifyProcess } from './processes.ts';
export { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from './server.ts';
