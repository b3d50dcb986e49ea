// Alerts' endpoints: reports, the list, and reviews.
import type { Actor } from '../../audit/log.ts';
import { created, type Endpoint, endpoint, ok, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './alert-schemas.ts';
import type { AlertRow } from './alert-store.ts';
import type { Compliance } from './service.ts';

/** A separate group, because internal services may call it as well. */
export function alertReportRoutes(compliance: Compliance): Endpoint[] {
  const saved = savedReply(compliance);
  return [
    endpoint({
      id: 'raiseAlert',
      clientMethod: 'alerts.raise',
      method: 'POST',
      path: '/compliance/alerts',
      permission: 'compliance:write',
      summary: 'Raise an alert; open to internal services',
      description: "For anything no rule detects, such as a customer's call. Internal services use it too.",
      action: 'compliance_alert.create',
      body: schemas.createAlertBody,
      query: schemas.createAlertQuery,
      replies: { 201: schemas.alertSavedReply },
      refusals: ['INVALID_SIGNATURE', 'EXPIRED_TIMESTAMP', 'SUBSCRIBER_NOT_FOUND', 'NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => saved(call, 'The alert was raised.', await compliance.report(call, call.body), created),
    }),
  ];
}

export function alertRoutes(compliance: Compliance): Endpoint[] {
  const saved = savedReply(compliance);
  return [
    endpoint({
      id: 'listAlerts',
      clientMethod: 'alerts.list',
      readsReplica: true,
      method: 'GET',
      path: '/compliance/alerts',
      permission: 'compliance:read',
      summary: 'List alerts, newest first',
      query: schemas.alertsQuery,
      replies: { 200: schemas.alertsReply },
      refusals: ['PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await compliance.alerts(call, call.query, page);
        if (found instanceof Refusal) return found;
        return ok({ alerts: found.rows.map(schemas.listedView), total_count: found.total, ...page });
      },
    }),
    endpoint({
      id: 'getAlert',
      clientMethod: 'alerts.get',
      method: 'GET',
      path: '/compliance/alerts/:id',
      permission: 'compliance:read',
      summary: 'Get an alert',
      params: idParams,
      replies: { 200: schemas.alertReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const alert = await compliance.alert(call, call.params.id);
        return alert instanceof Refusal ? alert : ok({ alert: schemas.alertView(alert) });
      },
    }),
    endpoint({
      id: 'resolveAlert',
      clientMethod: 'alerts.resolve',
      method: 'POST',
      path: '/compliance/alerts/:id/resolve',
      permission: 'compliance:write',
      summary: 'Resolve an alert; not allowed for users of the agent or processor it concerns',
      description:
        'Final: 409 `ALREADY_RESOLVED` afterwards. The resolution and its outcome are part of the audit log.',
      action: 'compliance_alert.resolve',
      params: idParams,
      body: schemas.resolveAlertBody,
      replies: { 200: schemas.alertSavedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'ALREADY_RESOLVED'],
      handle: async (call) =>
        saved(call, 'The alert was resolved.', await compliance.resolve(call, call.params.id, call.body)),
    }),
    endpoint({
      id: 'updateAlert',
      clientMethod: 'alerts.update',
      method: 'PUT',
      path: '/compliance/alerts/:id',
      permission: 'compliance:write',
      summary: 'Update the status or notes of an alert; a resolved or dismissed alert is final',
      description: '`in_review` tells others that someone works on it.',
      action: 'compliance_alert.update',
      params: idParams,
      body: schemas.updateAlertBody,
      current: async (call) => {
        const alert = await compliance.currentAlert(call, call.params.id);
        if (alert instanceof Refusal) return alert;
        // The review decides about these fields on the locked row.
        const { status: _, notes: __, resolution: ___, outcome: ____, ...readOnly } = schemas.alertView(alert);
        return readOnly;
      },
      replies: { 200: schemas.alertSavedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'ALREADY_RESOLVED'],
      handle: async (call) =>
        saved(call, 'The alert was changed.', await compliance.update(call, call.params.id, call.body)),
    }),
    endpoint({
      id: 'assignAlert',
      clientMethod: 'alerts.assign',
      method: 'POST',
      path: '/compliance/alerts/:id/assign',
      permission: 'compliance:write',
      summary: 'Take an alert to review it, even one assigned to someone else',
      action: 'compliance_alert.assign',
      params: idParams,
      replies: { 200: schemas.alertSavedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'ALREADY_RESOLVED'],
      handle: async (call) => saved(call, 'The alert is yours.', await compliance.assign(call, call.params.id)),
    }),
    endpoint({
      id: 'releaseAlert',
      clientMethod: 'alerts.release',
      method: 'POST',
      path: '/compliance/alerts/:id/release',
      permission: 'compliance:write',
      summary: 'Release an alert: it has no assignee afterwards',
      action: 'compliance_alert.release',
      params: idParams,
      replies: { 200: schemas.alertSavedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'ALREADY_RESOLVED'],
      handle: async (call) => saved(call, 'The alert has no assignee.', await compliance.release(call, call.params.id)),
    }),
  ];
}

/** Replies with a saved alert as the caller sees it. */
function savedReply({ shown }: Pick<Compliance, 'shown'>) {
  return async (actor: Actor, message: string, saved: AlertRow | Refusal, reply = ok): Promise<Reply | Refusal> => {
    const alert = await shown(actor, saved);
    return alert instanceof Refusal ? alert : reply({ success: true, message, alert: schemas.alertView(alert) });
  };
}
