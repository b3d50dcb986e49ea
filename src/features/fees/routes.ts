// Endpoints for staff to read and change fee settings.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok, okOrRefusal } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import {
  putSettingBody,
  putSettingReply,
  settingParams,
  settingRecord,
  settingsQuery,
  settingsReply,
  settingView,
} from './schemas.ts';
import type { Fees } from './service.ts';
import type { FeeWhatIf } from './what-if/operations.ts';
import { feeWhatIfBody, feeWhatIfReply } from './what-if/schemas.ts';

export function feeRoutes(fees: Fees, { whatIf }: FeeWhatIf, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'listFeeSettings',
      method: 'GET',
      path: '/fee-settings',
      permission: 'fees:read',
      summary: 'List fee settings: custom settings, otherwise the built-in defaults',
      query: settingsQuery,
      replies: { 200: settingsReply },
      handle: async ({ query }) => {
        const settings = await fees.list(query.transaction_type);
        return ok({ settings: settings.map(settingView), count: settings.length });
      },
    }),
    endpoint({
      id: 'getFeeSetting',
      method: 'GET',
      path: '/fee-settings/:type/:party',
      permission: 'fees:read',
      summary: 'Get the fee setting of a transaction type and a party',
      params: settingParams,
      replies: { 200: settingRecord },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const setting = await fees.get(params.type, params.party);
        return setting instanceof Refusal ? setting : ok(settingView(setting));
      },
    }),
    endpoint({
      id: 'putFeeSetting',
      method: 'PUT',
      path: '/fee-settings',
      permission: 'fees:write',
      summary: 'Create or replace a fee setting; it applies from the next payment on',
      action: 'fee_setting.update',
      body: putSettingBody,
      current: async ({ body }) => {
        const setting = await fees.get(body.transaction_type, body.party_type);
        return setting instanceof Refusal ? setting : settingView(setting);
      },
      replies: { 200: putSettingReply, 202: pendingReply },
      handle: (call) => gate.change(call, fees.put),
    }),
    endpoint({
      id: 'deleteFeeSetting',
      method: 'DELETE',
      path: '/fee-settings/:type/:party',
      permission: 'fees:write',
      summary: 'Delete a custom fee setting; the built-in default applies again',
      action: 'fee_setting.delete',
      params: settingParams,
      replies: { 202: pendingReply, 204: Type.Null({ description: 'The custom setting is deleted.' }) },
      refusals: ['NOT_FOUND'],
      handle: (call) => gate.change(call, fees.remove),
    }),
    endpoint({
      id: 'whatIfFees',
      method: 'POST',
      path: '/fee-settings/what-if',
      permission: 'fees:read',
      summary: 'Price the payments of the last 30 days with proposed settings; nothing is changed',
      body: feeWhatIfBody,
      replies: { 200: feeWhatIfReply },
      handle: async (call) => okOrRefusal(await whatIf(call, call.body)),
    }),
  ];
}
