// Card endpoints: linking, look-up, blocking and CSV upload.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { type Page, pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import { type CardRow, listedOf, recordOf } from './record.ts';
import * as schemas from './schemas.ts';
import type { CardService, ListQuery } from './service.ts';

// 100,000 lines with the longest serials and labels take 50 MB.
const UPLOAD_LIMIT_BYTES = 64 * 1024 * 1024;

export function cardRoutes(cards: CardService, gate: Gate): Endpoint[] {
  return [...linkRoutes(cards, gate), ...readRoutes(cards), ...stateRoutes(cards), uploadRoute(cards)];
}

function linkRoutes(cards: CardService, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'linkCard',
      clientMethod: 'cards.link',
      method: 'POST',
      path: '/cards/link',
      permission: 'cards:write',
      summary: 'Link a card to a subscriber',
      description: 'An unknown serial is taken into stock and linked, unless CARDS_REQUIRE_STOCK is set.',
      action: 'card.link',
      body: schemas.link,
      replies: { 201: schemas.changedReply, 202: pendingReply },
      refusals: [
        'APPROVAL_REQUIRED',
        'PHONE_NOT_VERIFIED',
        'SUBSCRIBER_NOT_FOUND',
        'CARD_NOT_FOUND',
        'PEP_ACCESS_REQUIRED',
        'SUBSCRIBER_BLOCKED',
        'CARD_ALREADY_LINKED',
        'CARD_BLOCKED',
      ],
      handle: (call) => gate.change(call, cards.operations.link),
    }),
    endpoint({
      id: 'linkChildCard',
      clientMethod: 'cards.linkChild',
      method: 'POST',
      path: '/cards/child',
      permission: 'cards:write',
      summary: "Link a child card to a parent card's subscriber",
      description:
        "A child card pays from its parent's wallet, within its own daily limit. It cannot pay while the parent is blocked.",
      action: 'card.child',
      body: schemas.child,
      replies: { 201: schemas.changedReply, 202: pendingReply },
      refusals: [
        'APPROVAL_REQUIRED',
        'PHONE_NOT_VERIFIED',
        'CARD_NOT_FOUND',
        'CARD_NOT_ASSIGNED',
        'PEP_ACCESS_REQUIRED',
        'CARD_BLOCKED',
        'SUBSCRIBER_BLOCKED',
        'CARD_ALREADY_LINKED',
        'INVALID_AMOUNT',
        'CHILD_CARD_LIMIT',
      ],
      handle: (call) => gate.change(call, cards.operations.child),
    }),
  ];
}

function readRoutes(cards: CardService): Endpoint[] {
  return [
    endpoint({
      id: 'getCard',
      clientMethod: 'cards.get',
      method: 'GET',
      path: '/cards/:serial',
      permission: 'cards:read',
      summary: 'Get a card',
      params: schemas.serialParams,
      replies: { 200: schemas.cardReply },
      refusals: ['CARD_NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const row = await cards.get(call, call.params.serial);
        return row instanceof Refusal ? row : ok({ card: recordOf(row) });
      },
    }),
    endpoint({
      id: 'listCards',
      clientMethod: 'cards.list',
      readsReplica: true,
      method: 'GET',
      path: '/cards',
      permission: 'cards:read',
      summary: 'List cards, newest first',
      query: schemas.cardsQuery,
      replies: { 200: schemas.cardsReply },
      csv: { key: 'serial' },
      refusals: ['PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const listed = await cards.list(call, { ...filterOf(call.query), ...page });
        if (listed instanceof Refusal) return listed;
        return ok({ cards: listed.rows.map(listedOf), total_count: listed.total, ...page });
      },
    }),
  ];
}

function stateRoutes(cards: CardService): Endpoint[] {
  return [
    endpoint({
      id: 'updateCard',
      clientMethod: 'cards.update',
      method: 'PUT',
      path: '/cards/:serial',
      permission: 'cards:write',
      summary: "Change a card's label or daily limit; omitted fields keep their values",
      description: 'Only the label and the daily limit can change.',
      action: 'card.update',
      params: schemas.serialParams,
      body: schemas.updateBody,
      current: async (call) => {
        const row = await cards.current(call, call.params.serial);
        return row instanceof Refusal ? row : recordOf(row);
      },
      replies: { 200: schemas.changedReply },
      refusals: ['CARD_NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'CARD_BLOCKED', 'CARD_NOT_ASSIGNED', 'INVALID_AMOUNT'],
      handle: async (call) => changed('The card was changed.', await cards.update(call, call.params.serial, call.body)),
    }),
    endpoint({
      id: 'unlinkCard',
      clientMethod: 'cards.unlink',
      method: 'POST',
      path: '/cards/:serial/unlink',
      permission: 'cards:write',
      summary: 'Unlink a card from its subscriber; it returns to stock and can be linked again',
      description: 'The card goes back to stock and can be linked to another subscriber.',
      action: 'card.unlink',
      params: schemas.serialParams,
      body: schemas.unlink,
      bodyOptional: true,
      replies: { 200: schemas.changedReply },
      refusals: ['CARD_NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'CARD_BLOCKED', 'CARD_NOT_ASSIGNED', 'CARD_HAS_CHILDREN'],
      handle: async (call) =>
        changed('The card was unlinked.', await cards.unlink(call, call.params.serial, call.body.reason)),
    }),
    endpoint({
      id: 'blockCard',
      clientMethod: 'cards.block',
      method: 'POST',
      path: '/cards/:serial/block',
      permission: 'cards:write',
      summary: 'Block a card, or retire it for good',
      description:
        '`permanent: true` retires a lost or stolen card: it is unlinked and can never be activated or linked again.',
      action: 'card.block',
      params: schemas.serialParams,
      body: schemas.block,
      bodyOptional: true,
      replies: { 200: schemas.changedReply },
      refusals: ['CARD_NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'ALREADY_BLOCKED', 'CARD_ALREADY_LINKED'],
      handle: async (call) => {
        const { serial } = call.params;
        const { reason, permanent = false } = call.body;
        if (!permanent) return changed('The card was blocked.', await cards.block(call, serial, reason));
        return changed('The card was retired.', await cards.retire(call, serial, reason));
      },
    }),
    endpoint({
      id: 'unblockCard',
      clientMethod: 'cards.unblock',
      method: 'POST',
      path: '/cards/:serial/unblock',
      permission: 'cards:write',
      summary: 'Unblock a card',
      description: 'Not possible for a retired card.',
      action: 'card.unblock',
      params: schemas.serialParams,
      replies: { 200: schemas.changedReply },
      refusals: ['CARD_NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'SUBSCRIBER_BLOCKED', 'CARD_BLOCKED', 'NOT_BLOCKED'],
      handle: async (call) => changed('The card was unblocked.', await cards.unblock(call, call.params.serial)),
    }),
  ];
}

function uploadRoute(cards: CardService): Endpoint {
  return endpoint({
    id: 'uploadCards',
    clientMethod: 'cards.upload',
    method: 'POST',
    path: '/cards/upload-csv',
    permission: 'cards:write',
    summary: 'Add cards to stock from a CSV file',
    description:
      'A line that is wrong is reported with its number and does not stop the others. 100,000 lines in one file are possible.',
    action: 'card.upload',
    upload: {
      mediaTypes: ['text/csv'],
      limitBytes: UPLOAD_LIMIT_BYTES,
      description: 'The header serial or serial,label, then one card per line; UTF-8, at most 64 MiB.',
    },
    replies: { 200: schemas.uploadReply },
    // A separate lane: a slow sender occupies its slot for the whole upload and must not delay reads.
    lane: 'uploads',
    handle: async (call) => {
      const report = await cards.upload(call, call.file);
      if (report instanceof Refusal) return report;
      const { errorsTotal, ...counts } = report;
      return ok({ success: true, message: 'The file was processed.', ...counts, errors_total: errorsTotal });
    },
  });
}

function changed(message: string, row: CardRow | Refusal) {
  return row instanceof Refusal ? row : ok({ success: true, message, card: recordOf(row) });
}

interface RawQuery {
  status?: string;
  type?: string;
  subscriber_id?: string;
  parent_serial?: string;
  search?: string;
}

function filterOf({ status, type, subscriber_id, parent_serial, search }: RawQuery): Omit<ListQuery, keyof Page> {
  return {
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
    ...(subscriber_id !== undefined ? { subscriberId: subscriber_id } : {}),
    ...(parent_serial !== undefined ? { parentSerial: parent_serial } : {}),
    ...(search !== undefined ? { search } : {}),
  };
}
