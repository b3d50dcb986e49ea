// HTML templates: everything that is inserted is escaped, except HTML made by another template.

/** HTML that is safe to insert. Only `html` and `trusted` make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Inserted = Html | string | number | null | readonly Inserted[];

/** Null inserts nothing. Attributes must be quoted in the template. */
export function html(strings: TemplateStringsArray, ...values: Inserted[]): Html {
  return new Html(strings.reduce((text, part, index) => text + inserted(values[index - 1] ?? null) + part));
}

/** For text of the service itself, such as its icon. Never for input. */
export function trusted(text: string): Html {
  return new Html(text);
}

function inserted(value: Inserted): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value.map(inserted).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
