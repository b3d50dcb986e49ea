// Endpoints for daily closes for staff, and the public keys for everybody.
import type { Jwk } from '@kissi/signatures/documents';
import { type Endpoint, endpoint, fileReply, ok } from '../../../http/endpoint.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { Closes } from './service.ts';

export function closeRoutes(closes: Closes): Endpoint[] {
  return [
    endpoint({
      id: 'createClose',
      clientMethod: 'closes.create',
      method: 'POST',
      path: '/admin/closes',
      permission: 'closes:write',
      summary: 'Close a day, or correct its close with a new one',
      description:
        'A gateway closes each day ten minutes after UTC midnight. A close is never changed: a new close for the same day corrects it and names it.',
      action: 'close.create',
      body: schemas.closeBody,
      replies: { 201: schemas.createdReply },
      refusals: ['NOT_FOUND', 'DAY_NOT_OVER', 'ALREADY_CLOSED', 'CLOSE_OUT_OF_ORDER'],
      handle: async (call) => {
        const row = await closes.create(call, call.body);
        if (row instanceof Refusal) return row;
        const message = row.corrects === null ? 'The day was closed.' : 'The close was corrected.';
        return { status: 201, body: { success: true, message, close: schemas.closeView(row) } };
      },
    }),
    endpoint({
      id: 'listCloses',
      clientMethod: 'closes.list',
      readsReplica: true,
      method: 'GET',
      path: '/admin/closes',
      permission: 'closes:read',
      summary: 'List daily closes and their corrections, newest first',
      query: schemas.closesQuery,
      replies: { 200: schemas.closesReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const listed = await closes.list({ ...call.query, ...page });
        if (listed instanceof Refusal) return listed;
        const { limit, offset } = page;
        return ok({ closes: listed.rows.map(schemas.summaryView), total_count: listed.total, limit, offset });
      },
    }),
    endpoint({
      id: 'getCloseFigures',
      clientMethod: 'closes.figures',
      method: 'GET',
      path: '/admin/closes/:date/figures',
      permission: 'closes:write',
      summary: 'The figures and open items that a close of the day would sign now',
      description: 'Nothing is signed. The day must be over.',
      params: schemas.figuresParams,
      replies: { 200: schemas.figuresReply },
      refusals: ['DAY_NOT_OVER'],
      handle: async ({ params }) => {
        const figures = await closes.figures(params.date);
        return figures instanceof Refusal ? figures : ok({ figures: schemas.figuresView(params.date, figures) });
      },
    }),
    endpoint({
      id: 'getClosePdf',
      clientMethod: 'closes.pdf',
      method: 'GET',
      path: '/admin/closes/:date.pdf',
      permission: 'closes:read',
      summary: 'Get the close of a day as a signed PDF',
      params: schemas.closeParams,
      replies: { 200: schemas.certificateReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const found = await closes.pdf(call.params.date);
        return found instanceof Refusal ? found : fileReply(found.pdf, 'application/pdf', found.name);
      },
    }),
    endpoint({
      id: 'getClose',
      clientMethod: 'closes.get',
      method: 'GET',
      path: '/admin/closes/:date',
      permission: 'closes:read',
      summary: 'Get the close of a day: the exact signed text and its signature',
      description: 'Verify it with `npm run close:verify` and the public keys, without access to the service.',
      params: schemas.closeParams,
      replies: { 200: schemas.closeReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const row = await closes.find(call.params.date);
        return row instanceof Refusal ? row : ok({ close: schemas.closeView(row) });
      },
    }),
  ];
}

const KEYS_CACHED_SECONDS = 3_600;

export function publicKeyRoutes(signers: readonly { keys(): Jwk[] | Promise<Jwk[]> }[]): Endpoint[] {
  return [
    endpoint({
      id: 'getPublicKeys',
      clientMethod: 'closes.publicKeys',
      method: 'GET',
      path: '/.well-known/kissi-keys.json',
      permission: 'anyone',
      summary: 'The public keys that verify daily closes and receipts (JWKS)',
      description: 'Keys that are no longer used stay listed, so that old closes can be verified.',
      csv: false,
      replies: { 200: schemas.keysReply },
      handle: async () => ({
        ...ok({ keys: (await Promise.all(signers.map((signer) => signer.keys()))).flat() }),
        headers: { 'cache-control': `public, max-age=${KEYS_CACHED_SECONDS}` },
      }),
    }),
  ];
}
