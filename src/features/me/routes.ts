// Endpoints for a customer's own wallet: profile, money, cards, PIN and devices.
import { Type } from 'typebox';
import { ofCustomer } from '../../http/customer-call.ts';
import { type Endpoint, endpoint, noContent, ok, okJson, okOrRefusal } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type CardService, cardRecord, type OwnCard, serialParams } from '../cards/service.ts';
import type { CustomerSessionService } from '../customer-session/service.ts';
import { type AccountStatements, statementReply, statementSchema } from '../statements/service.ts';
import { detailsJson, detailsReply, type TransactionLookup } from '../transaction-details/service.ts';
import { historyJson, type Transactions, transactionsReply } from '../transactions/service.ts';
import { balanceReply, type Wallet } from '../wallet/service.ts';
import * as schemas from './schemas.ts';
import type { Me } from './service.ts';

export interface MeServices {
  me: Me;
  wallet: Pick<Wallet, 'balance'>;
  transactions: Pick<Transactions, 'history'>;
  transactionLookup: Pick<TransactionLookup, 'details'>;
  statements: AccountStatements;
  cards: Pick<CardService, 'listOwn'>;
  customerSessions: CustomerSessionService;
}

/** A wrong PIN, and one that is not four digits. */
const PIN_REFUSALS = ['INVALID_PIN', { code: 'INVALID_PIN', status: 400 }] as const;

export function meRoutes(services: MeServices): Endpoint[] {
  return [...moneyRoutes(services), ...cardRoutes(services), ...accessRoutes(services)];
}

function moneyRoutes({ me, wallet, transactions, transactionLookup, statements }: MeServices): Endpoint[] {
  return [
    endpoint({
      id: 'getMe',
      clientMethod: 'me.get',
      method: 'GET',
      path: '/me',
      permission: 'me:read',
      summary: 'Get your profile, your level, what is left of your limits, and devices that are new',
      replies: { 200: schemas.meReply },
      csv: false,
      refusals: ['NOT_FOUND'],
      handle: async (call) => okOrRefusal(await me.overview(ofCustomer(call))),
    }),
    endpoint({
      id: 'getOwnBalance',
      clientMethod: 'me.balance',
      method: 'GET',
      path: '/me/balance',
      permission: 'me:read',
      summary: 'Get your balance, and what authorised payments hold of it',
      replies: { 200: balanceReply },
      refusals: ['SUBSCRIBER_NOT_FOUND'],
      handle: async (call) => okOrRefusal(await wallet.balance(call, ofCustomer(call).caller.id)),
    }),
    endpoint({
      id: 'listOwnTransactions',
      clientMethod: 'me.transactions',
      readsReplica: true,
      method: 'GET',
      path: '/me/transactions',
      permission: 'me:read',
      summary: 'List your transactions, newest first',
      query: schemas.transactionsQuery,
      replies: { 200: transactionsReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await transactions.history(ofCustomer(call), { ...call.query, ...page });
        return found instanceof Refusal ? found : okJson(historyJson(found, page));
      },
    }),
    endpoint({
      id: 'getOwnTransaction',
      clientMethod: 'me.transaction',
      readsReplica: true,
      method: 'GET',
      path: '/me/transactions/:id',
      permission: 'me:read',
      summary: 'Get one of your transactions, with the link of its receipt',
      params: idParams,
      replies: { 200: detailsReply },
      refusals: ['NOT_FOUND', 'ARCHIVED'],
      handle: async (call) => {
        const found = await transactionLookup.details(ofCustomer(call), call.params.id);
        return found instanceof Refusal ? found : okJson(`{"transaction":${detailsJson(found)}}`);
      },
    }),
    endpoint({
      id: 'getOwnStatement',
      clientMethod: 'me.statement',
      readsReplica: true,
      method: 'GET',
      path: '/me/statement',
      permission: 'me:read',
      summary: 'Get your statement for a period of at most 366 days, as JSON, CSV or PDF',
      query: schemas.statementQuery,
      replies: { 200: statementSchema },
      csv: false,
      refusals: ['SUBSCRIBER_NOT_FOUND', 'ARCHIVED'],
      handle: async (call) => {
        const actor = ofCustomer(call);
        const statement = await statements.statement(actor, { ...call.query, subscriber_id: actor.caller.id });
        return statement instanceof Refusal ? statement : statementReply(statement, call.query.format);
      },
    }),
  ];
}

function cardRoutes({ me, cards }: MeServices): Endpoint[] {
  return [
    endpoint({
      id: 'listOwnCards',
      clientMethod: 'me.cards',
      method: 'GET',
      path: '/me/cards',
      permission: 'me:read',
      summary: 'List your cards',
      query: schemas.cardsQuery,
      replies: { 200: schemas.cardsReply },
      csv: { key: 'serial' },
      handle: async (call) => {
        const page = pageOf(call.query);
        const { rows, total } = await cards.listOwn(ofCustomer(call), page);
        return ok({ cards: rows.map(ownCardView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'blockOwnCard',
      clientMethod: 'me.blockCard',
      method: 'POST',
      path: '/me/cards/:serial/block',
      permission: 'me:manage',
      summary: 'Block one of your cards',
      action: 'card.block',
      params: serialParams,
      replies: { 200: schemas.cardReply },
      refusals: ['CARD_NOT_FOUND', 'ALREADY_BLOCKED'],
      handle: async (call) =>
        changed('The card was blocked.', await me.blockCard(ofCustomer(call), call.params.serial)),
    }),
    endpoint({
      id: 'unblockOwnCard',
      clientMethod: 'me.unblockCard',
      method: 'POST',
      path: '/me/cards/:serial/unblock',
      permission: 'me:manage',
      summary: 'Unblock a card that you blocked, with your PIN',
      description: 'Support unblocks a card that somebody else blocked.',
      action: 'card.unblock',
      params: serialParams,
      body: schemas.pinBody,
      replies: { 200: schemas.cardReply },
      refusals: [
        'CARD_NOT_FOUND',
        ...PIN_REFUSALS,
        'ACCOUNT_LOCKED',
        'TOO_MANY_ATTEMPTS',
        'SUBSCRIBER_BLOCKED',
        'CARD_BLOCKED',
        'NOT_BLOCKED',
      ],
      handle: async (call) =>
        changed('The card was unblocked.', await me.unblockCard(ofCustomer(call), call.params.serial, call.body.pin)),
    }),
  ];
}

function accessRoutes({ me, customerSessions }: MeServices): Endpoint[] {
  return [
    endpoint({
      id: 'changeOwnPin',
      clientMethod: 'me.changePin',
      method: 'POST',
      path: '/me/change-pin',
      permission: 'me:manage',
      summary: 'Change your PIN; your other devices end',
      action: 'subscriber.change_pin',
      body: schemas.changePinBody,
      replies: { 200: schemas.doneReply },
      refusals: [
        'NEW_DEVICE',
        ...PIN_REFUSALS,
        'ACCOUNT_LOCKED',
        'TOO_MANY_ATTEMPTS',
        'SUBSCRIBER_BLOCKED',
        'NOT_FOUND',
      ],
      handle: async (call) => {
        const done = await me.changePin(ofCustomer(call), call.body);
        return done instanceof Refusal ? done : ok({ success: true, message: 'The PIN was changed.' });
      },
    }),
    endpoint({
      id: 'listOwnDevices',
      clientMethod: 'me.devices',
      method: 'GET',
      path: '/me/devices',
      permission: 'me:read',
      summary: 'List the devices that can log in without a code, the one used last first',
      replies: { 200: schemas.devicesReply },
      csv: false,
      handle: async (call) => {
        const actor = ofCustomer(call);
        const devices = await customerSessions.devices(actor);
        const device_id = actor.caller.session?.deviceId ?? null;
        return ok({ devices: devices.map(customerSessions.deviceView), device_id });
      },
    }),
    endpoint({
      id: 'endOwnDevice',
      clientMethod: 'me.endDevice',
      method: 'DELETE',
      path: '/me/devices/:id',
      permission: 'me:manage',
      summary: 'End one of your devices and its session; it can log in again with a code',
      action: 'customer.end_device',
      params: idParams,
      replies: { 204: Type.Null({ description: 'The device has ended.' }) },
      refusals: ['NEW_DEVICE', 'NOT_FOUND'],
      handle: async (call) => (await customerSessions.endDevice(ofCustomer(call), call.params.id)) ?? noContent(),
    }),
  ];
}

const ownCardView = (row: OwnCard) => ({
  ...cardRecord(row),
  blocked_by_you: row.blocked_by_you,
});

function changed(message: string, row: OwnCard | Refusal) {
  return row instanceof Refusal ? row : ok({ success: true, message, card: ownCardView(row) });
}
