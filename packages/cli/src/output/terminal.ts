// What the command may do with its terminal: colours, width, prompts.
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours only on a terminal; styleText obeys NO_COLOR and FORCE_COLOR. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}

/** The terminal's columns; unlimited if the output goes to a file or a program. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Remarks for people. Scripts do not get them: they go to a terminal only. */
export function remark(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${styled('dim', text, process.stderr)}\n`);
}

/** What scripts wait for too, such as that a command is ready. On standard error, beside the output. */
export function announce(text: string): void {
  process.stderr.write(`${styled('dim', text, process.stderr)}\n`);
}

/** JSON in which these characters are escaped; those below a space JSON escapes by itself. */
export function jsonText(value: unknown, indent?: number): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped);
}

/** Text of the service or of other people must not control the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what it removes.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
