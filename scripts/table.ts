// A table in Markdown, for reports.
export function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const [head, ...lines] = [columns, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${'---|'.repeat(columns.length)}`, ...lines].join('\n');
}
