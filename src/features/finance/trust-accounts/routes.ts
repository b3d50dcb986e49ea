// Endpoints for trust accounts: their records, bank statement uploads, and statement entries.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { created, type Endpoint, endpoint, ok, type Reply, streamed } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { type Page, pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import { MEDIA_TYPES } from './parsing/read-statement.ts';
import * as schemas from './schemas.ts';
import type { TrustAccounts } from './service.ts';
import type { StatementFile } from './store.ts';

// 100,000 entries as camt.053 take 54 MB.
const UPLOAD_LIMIT_BYTES = 64 * 1024 * 1024;

export function trustAccountRoutes(trustAccounts: TrustAccounts, gate: Gate): Endpoint[] {
  return [...accountRoutes(trustAccounts, gate), uploadRoute(trustAccounts), ...statementRoutes(trustAccounts)];
}

function accountRoutes(trustAccounts: TrustAccounts, gate: Gate): Endpoint[] {
  async function current(id: string) {
    const account = await trustAccounts.get(id);
    return account instanceof Refusal ? account : schemas.trustAccountView(account);
  }

  return [
    endpoint({
      id: 'createTrustAccount',
      clientMethod: 'trustAccounts.create',
      method: 'POST',
      path: '/admin/trust-accounts',
      permission: 'trust-accounts:write',
      summary: 'Register a trust account at a bank',
      description: 'An account at a bank that holds the money behind the e-money. An approval policy may apply (202).',
      action: 'trust_account.create',
      body: schemas.createBody,
      replies: { 201: schemas.changedReply, 202: pendingReply },
      refusals: ['TRUST_ACCOUNT_EXISTS'],
      handle: (call) => gate.change(call, trustAccounts.createOperation),
    }),
    endpoint({
      id: 'listTrustAccounts',
      clientMethod: 'trustAccounts.list',
      method: 'GET',
      path: '/admin/trust-accounts',
      permission: 'trust-accounts:read',
      summary: 'List trust accounts with their last balances, newest first',
      query: schemas.trustAccountsQuery,
      replies: { 200: schemas.trustAccountsReply },
      handle: async ({ query }) => {
        const page = pageOf(query);
        const { rows, total } = await trustAccounts.list(query, page);
        return listed('trust_accounts', rows.map(schemas.trustAccountView), total, page);
      },
    }),
    endpoint({
      id: 'getTrustAccount',
      clientMethod: 'trustAccounts.get',
      method: 'GET',
      path: '/admin/trust-accounts/:id',
      permission: 'trust-accounts:read',
      summary: 'Get a trust account and its last balance',
      params: idParams,
      replies: { 200: schemas.trustAccountReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const account = await current(params.id);
        return account instanceof Refusal ? account : ok({ trust_account: account });
      },
    }),
    endpoint({
      id: 'updateTrustAccount',
      clientMethod: 'trustAccounts.update',
      method: 'PUT',
      path: '/admin/trust-accounts/:id',
      permission: 'trust-accounts:write',
      summary: 'Update a trust account; omitted fields keep their values',
      description: 'An approval policy may apply (202).',
      action: 'trust_account.update',
      params: idParams,
      body: schemas.updateBody,
      current: ({ params }) => current(params.id),
      replies: { 200: schemas.changedReply, 202: pendingReply },
      refusals: ['NOT_FOUND', 'TRUST_ACCOUNT_EXISTS', 'TRUST_ACCOUNT_IN_USE'],
      handle: (call) => gate.change(call, trustAccounts.updateOperation),
    }),
  ];
}

function uploadRoute(trustAccounts: TrustAccounts): Endpoint {
  return endpoint({
    id: 'uploadBankStatement',
    clientMethod: 'trustAccounts.uploadStatement',
    method: 'POST',
    path: '/admin/trust-accounts/:id/statements',
    permission: 'trust-accounts:write',
    summary: 'Upload a bank statement; uploading the same file again returns its record',
    description:
      'camt.053 (`application/xml`), MT940 (`text/plain`) or CSV (`text/csv`). The file is stored as is, or not at all: its sums must add up, and it must continue the previous statement; otherwise 422 `STATEMENT_INVALID` says where it fails. `warnings` lists days that no statement covers.',
    action: 'trust_account.statement',
    params: idParams,
    upload: {
      mediaTypes: MEDIA_TYPES,
      atomic: true,
      limitBytes: UPLOAD_LIMIT_BYTES,
      description:
        'application/xml: camt.053. text/plain: MT940. text/csv: date,amount,reference,description,balance, oldest entry first, amounts in SLE with decimals. UTF-8, at most 64 MiB and 200,000 entries.',
    },
    replies: { 200: schemas.uploadedReply, 201: schemas.uploadedReply },
    refusals: ['NOT_FOUND', 'TRUST_ACCOUNT_CLOSED', 'STATEMENT_INVALID'],
    // A slow sender occupies its slot for the whole upload.
    lane: 'uploads',
    handle: async (call) => {
      const file = { mediaType: call.fileType, chunks: call.file };
      const uploaded = await trustAccounts.upload(call, call.params.id, file);
      if (uploaded instanceof Refusal) return uploaded;
      const statement = schemas.statementView(uploaded.statement);
      const { isNew, warnings } = uploaded;
      if (isNew) return created({ success: true, message: 'The statement was stored.', statement, warnings });
      return ok({
        success: true,
        message: 'The file was uploaded before; this is its statement.',
        statement,
        warnings,
      });
    },
  });
}

function statementRoutes(trustAccounts: TrustAccounts): Endpoint[] {
  return [
    endpoint({
      id: 'listBankStatements',
      clientMethod: 'trustAccounts.statements',
      method: 'GET',
      path: '/admin/trust-accounts/:id/statements',
      permission: 'trust-accounts:read',
      summary: "List a trust account's statements, newest first",
      params: idParams,
      query: schemas.pageQuery,
      replies: { 200: schemas.statementsReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params, query }) => {
        const page = pageOf(query);
        const found = await trustAccounts.statements(params.id, page);
        if (found instanceof Refusal) return found;
        return listed('statements', found.rows.map(schemas.statementView), found.total, page);
      },
    }),
    endpoint({
      id: 'getBankStatement',
      clientMethod: 'trustAccounts.statement',
      method: 'GET',
      path: '/admin/trust-accounts/:id/statements/:statement_id',
      permission: 'trust-accounts:read',
      summary: 'Get a trust account statement',
      params: schemas.statementParams,
      replies: { 200: schemas.statementReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const statement = await trustAccounts.statement(params.id, params.statement_id);
        return statement instanceof Refusal ? statement : ok({ statement: schemas.statementView(statement) });
      },
    }),
    endpoint({
      id: 'downloadBankStatement',
      clientMethod: 'trustAccounts.downloadStatement',
      method: 'GET',
      path: '/admin/trust-accounts/:id/statements/:statement_id/file',
      permission: 'trust-accounts:read',
      summary: "Download a statement's file as it was uploaded",
      params: schemas.statementParams,
      replies: { 200: schemas.fileReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const file = await trustAccounts.file(params.id, params.statement_id);
        return file instanceof Refusal ? file : fileReply(file, params.statement_id);
      },
    }),
    endpoint({
      id: 'listBankEntries',
      clientMethod: 'trustAccounts.entries',
      readsReplica: true,
      method: 'GET',
      path: '/admin/trust-accounts/:id/statements/:statement_id/entries',
      permission: 'trust-accounts:read',
      summary: "List a statement's entries in file order",
      params: schemas.statementParams,
      query: schemas.pageQuery,
      replies: { 200: schemas.entriesReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ params, query }) => {
        const page = pageOf(query);
        const found = await trustAccounts.entries(params.id, params.statement_id, page);
        if (found instanceof Refusal) return found;
        return listed('entries', found.rows.map(schemas.entryView), found.total, page);
      },
    }),
  ];
}

const FILE_TYPES = {
  'camt.053': { extension: 'xml', mediaType: 'application/xml' },
  mt940: { extension: 'txt', mediaType: 'text/plain; charset=utf-8' },
  csv: { extension: 'csv', mediaType: 'text/csv; charset=utf-8' },
};

/** The id belongs to a stored statement, so it is safe in a header. */
function fileReply({ format, file }: StatementFile, id: string): Reply {
  const { extension, mediaType } = FILE_TYPES[format];
  const disposition = `attachment; filename="${id}.${extension}"`;
  return streamed(Readable.from([file]).pipe(createGunzip()), {
    ...{ 'content-type': mediaType, 'content-disposition': disposition },
  });
}

function listed(name: string, records: object[], total: number, page: Page) {
  return ok({ [name]: records, total_count: total, limit: page.limit, offset: page.offset });
}
