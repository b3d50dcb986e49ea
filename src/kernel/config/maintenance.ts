// Announced maintenance, from the text of its variable.
import { checkedText } from './variable.ts';

export interface Maintenance {
  /** In milliseconds. */
  from: number;
  until: number;
  message: string;
}

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z`;
const TEXT = new RegExp(`^(${TIME})/(${TIME}) (\\S.{0,199})$`);

/** null: the text is not of the form, or ends before it begins. */
function parse(text: string): Maintenance | null {
  const [, start = '', end = '', message = ''] = TEXT.exec(text) ?? [];
  const [from, until] = [Date.parse(start), Date.parse(end)];
  return until > from ? { from, until, message } : null;
}

export const MAINTENANCE = checkedText(
  (value) => value === '' || parse(value) !== null,
  'must be FROM/UNTIL TEXT, with times like 2026-11-30T22:00Z, the first before the second.',
  {
    default: '',
    description:
      'Maintenance that `GET /api/v1/status` announces to partners and merchants until it ends: `2026-11-30T22:00Z/2026-11-30T23:00Z Upgrade of the database`.',
  },
);

export const maintenance = (text: string): Maintenance | null => parse(text);
