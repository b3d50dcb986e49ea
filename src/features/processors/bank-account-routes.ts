// Endpoints for the bank accounts that processors are paid out to.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import * as schemas from './bank-account-schemas.ts';
import { bankAccountView } from './bank-accounts.ts';
import type { Processors } from './service.ts';

export function bankAccountRoutes({ bankAccounts }: Processors, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'addBankAccount',
      clientMethod: 'processors.addBankAccount',
      method: 'POST',
      path: '/processors/:id/bank-accounts',
      permission: 'beneficiaries:write',
      summary: "Add a bank account for a processor's pay-outs",
      action: 'bank_account.create',
      params: idParams,
      body: schemas.bankAccountBody,
      replies: { 201: schemas.bankAccountReply, 202: pendingReply },
      refusals: ['APPROVAL_REQUIRED', 'NOT_FOUND', 'DUPLICATE_BANK_ACCOUNT'],
      handle: (call) => gate.change(call, bankAccounts.addOperation),
    }),
    endpoint({
      id: 'listBankAccounts',
      clientMethod: 'processors.bankAccounts',
      method: 'GET',
      path: '/processors/:id/bank-accounts',
      permission: 'processors:history',
      summary: "List the bank accounts for a processor's pay-outs, newest first",
      params: idParams,
      replies: { 200: schemas.bankAccountsReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, params }) => {
        const found = await bankAccounts.list(caller, params.id);
        return found instanceof Refusal ? found : ok({ bank_accounts: found.map(bankAccountView) });
      },
    }),
    endpoint({
      id: 'removeBankAccount',
      clientMethod: 'processors.removeBankAccount',
      method: 'DELETE',
      path: '/processors/:id/bank-accounts/:account_id',
      permission: 'beneficiaries:write',
      summary: "Remove a processor's bank account; earlier pay-outs keep its number",
      action: 'bank_account.remove',
      params: schemas.bankAccountParams,
      replies: { 200: schemas.removedReply, 202: pendingReply },
      refusals: ['APPROVAL_REQUIRED', 'NOT_FOUND'],
      handle: (call) => gate.change(call, bankAccounts.removeOperation),
    }),
  ];
}
