// Request and response schemas of processors.
import { Type } from 'typebox';
import { description, email, idField, line, minorUnits, phoneNumber, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, requestIdField } from '../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { historyFilters, transactionsReply } from '../transactions/service.ts';
import { STATUSES } from './record.ts';

const processor = Type.Object(
  {
    id: Type.String(),
    merchant_id: Type.String({ description: 'What terminals name the merchant by.' }),
    business_name: Type.String(),
    contact_name: Type.String(),
    phone_number: Type.String({ description: 'E.164.' }),
    email: Type.String(),
    status: Type.Enum(STATUSES),
    balance: minorUnits(),
    balance_formatted: Type.String({ description: 'For people: 1,234.56 SLE.' }),
    created_at: timestamp(),
  },
  { title: 'Processor' },
);

const done = { success: Type.Literal(true), message: Type.String() };

export const createBody = Type.Object({
  business_name: line(),
  contact_name: line(),
  phone_number: phoneNumber(),
  email: email(),
  merchant_id: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._:/-]{1,64}$',
      description: 'Made here unless told; unique whatever its case.',
      [ERROR_MESSAGE]: 'must be 1 to 64 letters, digits, or . _ : / -',
    }),
  ),
});
export const createReply = Type.Object({
  ...done,
  processor_id: Type.String(),
  user_id: Type.String({ description: 'The login that was made; its credentials went to phone_number.' }),
  processor,
});

export const processorReply = Type.Object({ processor });
export const changedReply = Type.Object({ ...done, processor });

export const processorsQuery = listQuery({
  status: Type.Optional(Type.Enum(STATUSES)),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of a name, the merchant id, the phone number or the email.' }),
  ),
});
export const processorsReply = listReply('processors', processor);

export const suspendBody = Type.Object({ reason: line(500) });

export const transferBody = Type.Object({
  to_processor_id: Type.Optional(idField('a processor')),
  to_subscriber_id: Type.Optional(idField('a subscriber')),
  amount: amountField(),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});

const totals = Type.Object(
  {
    count: Type.Integer({ description: 'How many records match: total_count.' }),
    received: minorUnits('What was paid to it, before fees; transfers between processors aside.'),
    received_count: Type.Integer(),
    refunded: minorUnits('What it paid back by refunds.'),
    refunded_count: Type.Integer(),
    fees: minorUnits('What of the fees it bore. A refund does not return them.'),
    commissions: minorUnits('What fee settings paid it.'),
    net: minorUnits('received - refunded - fees + commissions: what it earned.'),
    transferred_in: minorUnits('What came from other processors.'),
    transferred_out: minorUnits('What it passed on to other processors and to wallets.'),
    balance_change: minorUnits('net + transferred_in - transferred_out: what all of it did to the balance.'),
  },
  { title: 'ProcessorTotals' },
);

export const historyQuery = listQuery(historyFilters);
export const historyReply = Type.Object({
  ...transactionsReply.properties,
  totals: Type.Union([totals, Type.Null()], {
    description:
      'Of everything that matches, not of this page alone. Null on pages that a cursor asked for, and with totals_pending.',
  }),
  totals_pending: Type.Optional(
    Type.Literal(true, {
      description: 'There while the totals take longer than a request may: they are being made, ask again in a moment.',
    }),
  ),
});
