// Request and response schemas for saved views.
import { type Static, Type } from 'typebox';
import { line, textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { iso } from '../../../kernel/clock.ts';
import type { SavedView } from './store.ts';

const screen = () =>
  Type.String({
    pattern: '^[a-z][a-z0-9/-]{0,63}$',
    description: 'The console screen, such as transactions.',
    examples: ['transactions'],
    [ERROR_MESSAGE]: 'must be 1 to 64 lower-case letters, digits, hyphens and slashes',
  });

const fields = {
  name: Type.String({ ...line(80), description: 'One line, unique for the user and screen.' }),
  screen: screen(),
  query: Type.String({
    pattern: '^[\\x21-\\x7e]{0,2000}$',
    description: 'The query string of the screen without the question mark, URL-encoded.',
    examples: ['type=pos_payment&limit=50'],
    [ERROR_MESSAGE]: 'must be at most 2,000 visible ASCII characters',
  }),
};

const viewRecord = Type.Object(
  {
    id: Type.String(),
    ...fields,
    shared: Type.Boolean({ description: 'Staff with the same role see it too.' }),
    is_own: Type.Boolean({ description: 'The caller saved it and can delete it.' }),
    owner_name: textOrNull('First and last name.'),
    created_at: timestamp(),
  },
  { title: 'SavedView' },
);

export const createViewBody = Type.Object({
  ...fields,
  shared: Type.Optional(Type.Boolean({ description: 'Default: false. For staff only.' })),
});
export type NewView = Static<typeof createViewBody>;
export const viewReply = Type.Object({ success: Type.Literal(true), message: Type.String(), view: viewRecord });
export const viewsQuery = listQuery({ screen: Type.Optional(screen()) });
export const viewsReply = listReply('views', viewRecord);

export function viewOf({ user_id, created_at, ...view }: SavedView, userId: string): Static<typeof viewRecord> {
  return { ...view, is_own: user_id === userId, created_at: iso(created_at) };
}
