// Names as notices show them: short, and no link, telephone number or pretence of speaking for the operator.
import { oneLine } from '../../kernel/text.ts';

/** Longer ones would make the text longer than an SMS. */
const MAX_NAME = 24;
/** What phones make a link of: a name must not lead anywhere in a message that people trust. */
const LINKING = /[.:/@]+(?=\S)/g;
const DIGIT = /\p{Nd}/gu;
/** Fewer than in any telephone number: 7 Eleven, Camon 2022. */
const MOST_DIGITS = 4;
/** A customer's: the first name and an initial. Merchants and agents are registered by staff. */
const MASKED = /^(\S)\S* (\S\.)$/u;
const NOT_LATIN = /[^\p{Script=Latin}\p{M}'’‐‑.\s-]/u;

/** What customers call themselves to be taken for the operator or an authority. */
const POSING = new RegExp(
  [
    ...['kissi', 'support', 'helpdesk', 'helpline', 'hotline', 'customer', 'service', 'official', 'security', 'admin'],
    ...['operator', 'wallet', 'police', 'refund', 'lottery', '^bank\\b', '^agent\\b', '^pin\\b'],
  ]
    .map(folded)
    .join('|'),
);

export function shownName(value: string): string {
  const line = withoutNumber((oneLine(value) ?? '').replaceAll(LINKING, ' '));
  const masked = MASKED.exec(line);
  if (masked && (NOT_LATIN.test(line) || POSING.test(folded(line)))) return `${masked[1]}. ${masked[2]}`;
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).trimEnd()}.`;
}

function withoutNumber(line: string): string {
  return (line.match(DIGIT)?.length ?? 0) > MOST_DIGITS
    ? line.replaceAll(DIGIT, '').replaceAll(/ +/g, ' ').trim()
    : line;
}

/** Without accents, and with one letter for those that look alike. */
function folded(text: string): string {
  return text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[lı]/g, 'i');
}
