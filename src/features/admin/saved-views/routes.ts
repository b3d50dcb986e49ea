// Endpoints for saved views.
import { Type } from 'typebox';
import { created, type Endpoint, endpoint, noContent, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { SavedViews } from './service.ts';

export function savedViewRoutes(views: SavedViews): Endpoint[] {
  return [
    endpoint({
      id: 'listSavedViews',
      clientMethod: 'savedViews.list',
      method: 'GET',
      path: '/admin/saved-views',
      permission: 'own-account',
      summary: 'List your saved views and those shared by staff with the same role, newest first',
      query: schemas.viewsQuery,
      replies: { 200: schemas.viewsReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const { rows, total } = await views.list(call, call.query.screen, page);
        const userId = String(call.caller.id);
        return ok({ views: rows.map((row) => schemas.viewOf(row, userId)), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'createSavedView',
      clientMethod: 'savedViews.create',
      method: 'POST',
      path: '/admin/saved-views',
      permission: 'own-account',
      summary: 'Save a view of a console screen',
      description:
        'A user can save 100 views. Staff can share a view with everyone who has the same role; only its owner can delete it. The query string is stored as it is: do not share one that contains personal data.',
      action: 'saved_view.create',
      body: schemas.createViewBody,
      replies: { 201: schemas.viewReply },
      refusals: ['SAVED_VIEW_EXISTS', 'SAVED_VIEW_LIMIT'],
      handle: async (call) => {
        const view = await views.create(call, call.body);
        if (view instanceof Refusal) return view;
        return created({ success: true, message: 'The view was saved.', view: schemas.viewOf(view, view.user_id) });
      },
    }),
    endpoint({
      id: 'deleteSavedView',
      clientMethod: 'savedViews.delete',
      method: 'DELETE',
      path: '/admin/saved-views/:id',
      permission: 'own-account',
      summary: 'Delete one of your saved views',
      action: 'saved_view.delete',
      params: idParams,
      replies: { 204: Type.Null({ description: 'The view is deleted.' }) },
      refusals: ['NOT_FOUND'],
      handle: async (call) => (await views.remove(call, call.params.id)) ?? noContent(),
    }),
  ];
}
