// Fills templates in: {name}, {amount, money}, {count, plural, one {# time} other {# times}}, {ussd, when {: dial #}}.
import { type Language, shownMoney } from '../../http/pages/language.ts';

export type Values = Readonly<Record<string, string | number | null>>;

type Part = string | ((values: Values, plural: (count: number) => string) => string);

// A placeholder's options, `one {# time}`, hold no further placeholders.
const PLACEHOLDER = /\{(\w+)(?:, (money|plural|when)(?:, | )?((?:(?:\w+ )?\{[^{}]*\} ?)*))?\}/g;
const OPTION = /(?:(\w+) )?\{([^{}]*)\}/g;

const parsed = new Map<string, Part[]>();
const ENGLISH = new Intl.PluralRules('en');
const PLURALS: Record<Language, (count: number) => string> = {
  en: (count) => ENGLISH.select(count),
  // Krio nouns do not change.
  kri: () => 'other',
};

export function fillIn(template: string, values: Values, language: Language): string {
  let parts = parsed.get(template);
  if (!parts) {
    parts = parse(template);
    parsed.set(template, parts);
  }
  const plural = PLURALS[language];
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : part(values, plural);
  return text;
}

function parse(template: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    parts.push(template.slice(end, match.index), placeholder(match[1] as string, match[2], match[3] ?? ''));
    end = match.index + match[0].length;
  }
  return [...parts, template.slice(end)];
}

function placeholder(name: string, format: string | undefined, text: string): Part {
  const options = new Map(Array.from(text.matchAll(OPTION), ([, key = '', option = '']) => [key, option]));
  switch (format) {
    case 'money':
      return (values) => shownMoney(Number(values[name]));
    case 'plural':
      return (values, plural) => {
        const count = Number(values[name]);
        return (options.get(plural(count)) ?? options.get('other') ?? '').replace('#', count.toLocaleString('en'));
      };
    case 'when':
      return (values) =>
        values[name] === null ? '' : (options.get('') ?? '').replace('#', () => String(values[name]));
    default:
      return (values) => String(values[name]);
  }
}
