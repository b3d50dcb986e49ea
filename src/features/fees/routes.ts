// Endpoints for staff to read and change fee settings.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok, okOrRefusal } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import type { Setting } from './record.ts';
import * as schemas from './schemas.ts';
import type { Fees } from './service.ts';
import type { FeeWhatIf } from './what-if/operations.ts';
import { feeWhatIfBody, feeWhatIfReply } from './what-if/schemas.ts';

export function feeRoutes(fees: Fees, { whatIf }: FeeWhatIf, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'listFeeSettings',
      clientMethod: 'fees.list',
      method: 'GET',
      path: '/fee-settings',
      permission: 'fees:read',
      summary: 'List fee settings: custom settings, otherwise the built-in defaults',
      query: schemas.settingsQuery,
      replies: { 200: schemas.settingsReply },
      handle: async ({ query }) => {
        const settings = await fees.list(query.transaction_type);
        return ok({ settings: await named(fees, settings), count: settings.length });
      },
    }),
    endpoint({
      id: 'getFeeSetting',
      clientMethod: 'fees.get',
      method: 'GET',
      path: '/fee-settings/:type/:party',
      permission: 'fees:read',
      summary: 'Get the fee setting for a transaction type and a party',
      params: schemas.settingParams,
      replies: { 200: schemas.settingRecord },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const setting = await fees.get(params.type, params.party);
        if (setting instanceof Refusal) return setting;
        const [seen] = await named(fees, [setting]);
        return ok(seen);
      },
    }),
    endpoint({
      id: 'putFeeSetting',
      clientMethod: 'fees.put',
      method: 'PUT',
      path: '/fee-settings',
      permission: 'fees:write',
      summary: 'Create or replace a fee setting; it applies from the next payment',
      description:
        '`debit_enabled`: the party pays the fee. `credit_enabled`: the party earns it as commission. An approval policy may apply (202).',
      action: 'fee_setting.update',
      body: schemas.putSettingBody,
      current: async ({ body }) => {
        const setting = await fees.get(body.transaction_type, body.party_type);
        return setting instanceof Refusal ? setting : schemas.settingView(setting);
      },
      replies: { 200: schemas.putSettingReply, 202: pendingReply },
      handle: (call) => gate.change(call, fees.put),
    }),
    endpoint({
      id: 'deleteFeeSetting',
      clientMethod: 'fees.delete',
      method: 'DELETE',
      path: '/fee-settings/:type/:party',
      permission: 'fees:write',
      summary: 'Delete a custom fee setting; the built-in default applies again',
      description: 'An approval policy may apply (202).',
      action: 'fee_setting.delete',
      params: schemas.settingParams,
      replies: { 202: pendingReply, 204: Type.Null({ description: 'The custom setting is deleted.' }) },
      refusals: ['NOT_FOUND'],
      handle: (call) => gate.change(call, fees.remove),
    }),
    endpoint({
      id: 'whatIfFees',
      clientMethod: 'fees.whatIf',
      method: 'POST',
      path: '/fee-settings/what-if',
      permission: 'fees:read',
      summary: "Price the last 30 days' payments with proposed settings; nothing is changed",
      description:
        'Prices the last 30 days of payments again, with the current settings and with the proposed ones, as payments are priced, with the commission percentages that agents have now. Refunds are not included. One what-if runs at a time; a second gets 429 `RATE_LIMITED`.',
      body: feeWhatIfBody,
      replies: { 200: feeWhatIfReply },
      handle: async (call) => okOrRefusal(await whatIf(call, call.body)),
    }),
  ];
}

async function named(fees: Fees, settings: readonly Setting[]) {
  const authors = await fees.authorsOf(settings);
  return settings.map((setting) => ({
    ...schemas.settingView(setting),
    updated_by_name: authors.get(setting.updatedBy ?? '') ?? null,
  }));
}
