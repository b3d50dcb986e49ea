// Request and response schemas for what administrators confirm before going live.
import { Type } from 'typebox';
import { freeText, textOrNull } from '../../../http/fields.ts';
import { iso } from '../../../kernel/clock.ts';
import type { Confirmation } from './store.ts';

/** What the service cannot check itself. */
export const ITEMS = [
  'restore_practised',
  'anchors_kept',
  'alerts_reach_a_person',
  'integrators_certified',
  'terms_reviewed',
] as const;
export type Item = (typeof ITEMS)[number];

const item = Type.Object(
  {
    item: Type.Enum([...ITEMS], {
      description:
        'restore_practised: a backup was restored. anchors_kept: anchors of the audit log are kept elsewhere. alerts_reach_a_person: somebody is on call. integrators_certified: each bank passed the certification. terms_reviewed: fees, limits and rules were reviewed.',
    }),
    note: textOrNull('What was done; null until it is confirmed.'),
    confirmed_by: textOrNull('The user who confirmed it.'),
    confirmed_by_name: textOrNull('The name of that user.'),
    confirmed_at: textOrNull('ISO 8601, UTC.'),
  },
  { title: 'GoingLiveItem' },
);

export const itemParams = Type.Object({ item: Type.String({ description: `One of ${ITEMS.join(', ')}.` }) });
export const confirmBody = Type.Object({ note: freeText('What was done, by whom and when.') });
export const itemsReply = Type.Object({ items: Type.Array(item, { description: 'Always all of them.' }) });
export const itemReply = Type.Object({ success: Type.Literal(true), message: Type.String(), item });

export const isItem = (text: string): text is Item => ITEMS.some((item) => item === text);

export function itemView(name: Item, found: Confirmation | undefined) {
  return {
    item: name,
    note: found?.note ?? null,
    confirmed_by: found?.confirmed_by ?? null,
    confirmed_by_name: found?.confirmed_by_name ?? null,
    confirmed_at: found ? iso(found.confirmed_at) : null,
  };
}
