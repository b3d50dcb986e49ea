// Request and reply schemas of notification settings and of the lab's messages.
import { Type } from 'typebox';
import { phoneNumber, timestamp } from '../../http/fields.ts';
import { LANGUAGES } from '../../http/pages/language.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { putBody } from '../../http/put.ts';
import { CHANNELS } from '../messaging/service.ts';

const channels = (description: string) =>
  Type.Array(Type.Enum([...CHANNELS]), { minItems: 1, maxItems: CHANNELS.length, description });

const editable = {
  language: Type.Enum([...LANGUAGES], { description: 'en: English, kri: Krio.' }),
  channels: channels('Where notices and codes go, among `available_channels`.'),
  payments: Type.Boolean({ description: 'Whether payments are told. Notices about security always are.' }),
  show_balance: Type.Boolean({ description: 'Whether notices of payments show the new balance.' }),
};

const record = Type.Object(
  { ...editable, available_channels: channels('Those that the operator offers.') },
  { title: 'NotificationSettings' },
);

const changes = Type.Partial(Type.Object(editable));

export const settingsReply = Type.Object({ notifications: record }, { title: 'OwnNotificationSettings' });
export const changeBody = putBody(changes, record);
export const changeReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), notifications: record },
  { title: 'ChangedNotificationSettings' },
);

const message = Type.Object(
  {
    id: Type.String(),
    channel: Type.Enum([...CHANNELS]),
    kind: Type.String({ description: 'For example payment, login_code or new_device.' }),
    text: Type.String(),
    created_at: timestamp(),
  },
  { title: 'LabMessage' },
);

export const labMessagesQuery = listQuery({ phone_number: phoneNumber() });
export const labMessagesReply = listReply('messages', message);
