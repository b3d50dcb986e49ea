// Request and reply schemas of notification settings.
import { Type } from 'typebox';
import { LANGUAGES } from '../../http/pages/language.ts';
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

const record = Type.Object(editable, { title: 'NotificationSettings' });
const available_channels = channels('Those that the operator offers.');

const changes = Type.Partial(Type.Object(editable));

export const settingsReply = Type.Object(
  { notifications: record, available_channels },
  { title: 'OwnNotificationSettings' },
);
export const changeBody = putBody(changes, record);
export const changeReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), notifications: record },
  { title: 'ChangedNotificationSettings' },
);
