// Request and reply schemas of a customer's own wallet.
import { Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import { minorUnits, pin, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { cardSchema } from '../cards/service.ts';
import { deviceSchema } from '../customer-session/service.ts';
import { FORMATS } from '../statements/service.ts';
import { limitsReply } from '../subscriber-limits/service.ts';
import { historyFilters } from '../transactions/service.ts';

const { daily, balance } = limitsReply.properties;

const profile = Type.Object(
  {
    id: Type.String(),
    phone_number: Type.String({ description: 'E.164.' }),
    account_number: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    kyc_level: Type.Integer({ description: '1, 2 or 3.' }),
    status: Type.String({ description: 'ACTIVE.' }),
    created_at: timestamp(),
  },
  { title: 'CustomerProfile' },
);

const newDevice = Type.Object(
  {
    restricted_until: timestamp('Until when the device can do less.'),
    limit: minorUnits('What the new devices of the wallet may pay together until then.'),
    used: minorUnits('What they paid of it.'),
  },
  { title: 'NewDeviceLimit' },
);

export const meReply = Type.Object(
  {
    profile,
    limits: Type.Object({ daily, balance }),
    device_id: Type.String({ description: 'The device of this session.' }),
    new_device: Type.Union([newDevice, Type.Null()], { description: 'Null: the device is not new.' }),
    other_new_devices: Type.Array(deviceSchema, {
      description: 'Devices that logged in during the last 24 hours. Show them: the customer may not know of them.',
    }),
  },
  { title: 'Me' },
);

export const transactionsQuery = listQuery(historyFilters);

export const statementQuery = Type.Object({
  from: dayOrInstant('The first day or instant, inclusive'),
  to: dayOrInstant('The last day or instant, inclusive; at most 366 days after from'),
  format: Type.Optional(Type.Enum(FORMATS, { description: 'Default: json.' })),
});

export const ownCard = Type.Object(
  {
    ...cardSchema.properties,
    subscriber_id: textOrNull('You.'),
    blocked_by_you: Type.Boolean({ description: 'Whether you blocked the card, and can unblock it.' }),
  },
  { title: 'OwnCard' },
);
export const cardsQuery = listQuery({});
export const cardsReply = listReply('cards', ownCard);
export const cardReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), card: ownCard },
  { title: 'ChangedOwnCard' },
);

export const pinBody = Type.Object({ pin: pin() });
export const changePinBody = Type.Object({ current_pin: pin(), new_pin: pin() });

export const devicesReply = Type.Object(
  {
    devices: Type.Array(deviceSchema),
    device_id: textOrNull('The device of this session.'),
  },
  { title: 'CustomerDevices' },
);

export const doneReply = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'MessageReply' },
);
