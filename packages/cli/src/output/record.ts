// One record for people: a line per field, objects indented, lists of objects as tables.
import { type FormatOptions, formatValue, label, statusColour } from './format.ts';
import { styled } from './terminal.ts';

const MAX_DEPTH = 4;

/** Fields that say nothing beyond the exit code. */
const OMITTED = new Set(['success']);

export async function renderRecord(
  record: object,
  options: FormatOptions & { width: number },
  depth = 0,
): Promise<string> {
  const entries = Object.entries(record).filter(
    ([name, value]) => !(depth === 0 && OMITTED.has(name)) && !isEmpty(value),
  );
  const [[, only] = []] = entries;
  // A reply such as { "subscriber": { … } } is the record itself.
  if (depth === 0 && entries.length === 1 && isNested(only) && !Array.isArray(only)) return renderRecord(only, options);
  const simple = entries.filter(([, value]) => !isNested(value) || depth >= MAX_DEPTH);
  const widest = simple.reduce((width, [name]) => Math.max(width, name.length), 0);
  const indent = '  '.repeat(depth);
  const lines: string[] = [];
  for (const [name, value] of entries) {
    if (!isNested(value) || depth >= MAX_DEPTH) {
      const title = styled('dim', label(name).padEnd(widest));
      const text = shown(name, value, options);
      // Text of several lines, such as a receipt, keeps its columns.
      const separator = text.includes('\n') ? '\n' : '  ';
      lines.push(`${indent}${title}${separator}${text}`.trimEnd());
      continue;
    }
    lines.push(`${indent}${styled('bold', label(name))}`);
    lines.push(
      Array.isArray(value) ? await renderList(value, options, indent) : await renderRecord(value, options, depth + 1),
    );
  }
  return lines.join('\n');
}

/** --json shows empty fields too. */
const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value))
    return value.length > 0 && value.every((entry) => typeof entry === 'object' && entry !== null);
  return Object.keys(value).length > 0;
}

function shown(name: string, value: unknown, options: FormatOptions): string {
  const text = formatValue(name, value, options);
  const colour = statusColour(name, value);
  return colour ? styled(colour, text) : text;
}

async function renderList(
  rows: Record<string, unknown>[],
  options: FormatOptions & { width: number },
  indent: string,
): Promise<string> {
  const { renderTable } = await import('./table.ts');
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { text } = renderTable(rows, { ...options, columns, width: options.width - indent.length - 2 });
  return text
    .split('\n')
    .map((line) => `${indent}  ${line}`)
    .join('\n');
}
