// Documents generated from the code: the OpenAPI document, roles, error codes, accounts, tables and configuration.
import { readFile } from 'node:fs/promises';
import { openDatabase } from '../db/database.ts';
import { createLoggers } from '../http/log.ts';
import { REFUSAL_FIELDS } from '../http/refusal-fields.ts';
import { systemClock } from '../kernel/clock.ts';
import { loadConfig } from '../kernel/config/config.ts';
import { CATALOGUE, type Code } from '../kernel/refusal.ts';
import { chartOfAccounts } from './chart-docs.ts';
import { compose } from './compose.ts';
import { configurationDocument, environmentExample } from './configuration-docs.ts';
import { rolesDocument } from './roles-docs.ts';
import { tablesDocument } from './tables-docs.ts';
import { VERSION } from './version.ts';

export interface GeneratedDocument {
  path: string;
  text: string;
}

export async function generatedDocuments(): Promise<GeneratedDocument[]> {
  const { openApi, roles } = await documentsOfGateway();
  const catalogue = await readFile(new URL('../../sql/catalogue.txt', import.meta.url), 'utf8');
  return [
    { path: 'docs/openapi.json', text: openApi },
    { path: 'docs/roles.md', text: roles },
    { path: 'docs/errors.md', text: errorsDocument() },
    { path: 'docs/chart-of-accounts.md', text: chartOfAccounts() },
    { path: 'docs/tables.md', text: tablesDocument(catalogue) },
    { path: 'docs/configuration.md', text: configurationDocument() },
    { path: '.env.example', text: environmentExample() },
  ];
}

/** Builds the production gateway without connecting to the database. */
async function documentsOfGateway(): Promise<{ openApi: string; roles: string }> {
  const database = openDatabase({ url: 'postgresql://unused@127.0.0.1:1/none', poolSize: 1 });
  const gateway = await compose({
    config: loadConfig({}),
    secrets: { JWT_SECRET: 'unused', MASTER_KEY: 'unused', PIN_PEPPER: 'unused', CLOSE_SIGNING_KEY: '0'.repeat(64) },
    database,
    clock: systemClock,
    loggers: createLoggers({ level: 'silent' }),
    version: VERSION,
  });
  const document = gateway.app.openApi();
  await gateway.close();
  await database.close();
  return { openApi: `${JSON.stringify(document, null, 2)}\n`, roles: rolesDocument(gateway.routeGroups) };
}

function errorsDocument(): string {
  const rows = Object.entries(CATALOGUE)
    .sort(([codeA, a], [codeB, b]) => a.status - b.status || (codeA < codeB ? -1 : 1))
    .map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} | ${fieldsOf(code as Code)} |`);
  return `# Error codes

Every error has one of these codes. Most routes reply \`{ "success": false, "error": "<message>", "code": "<CODE>" }\`,
inbound routes \`{ "success": false, "code": "<CODE>", "message": "<message>", "data"?: … }\`, webhook routes
\`{ "success": false, "message": "<message>" }\`, the messaging bridge \`{ "error": "<message>", "status": "error" }\`.
Programs should check the code; the message is for people and may change.

This page is generated from the source code by \`npm run docs\`.

| code | status | meaning | additional fields |
|---|---|---|---|
${rows.join('\n')}
`;
}

function fieldsOf(code: Code): string {
  const names = Object.keys(REFUSAL_FIELDS[code] ?? {});
  return names.map((name) => `\`${name}\``).join(', ');
}
