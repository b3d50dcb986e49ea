// Decodes the bytes of a bank file. Only UTF-8 is accepted, with or without a byte order mark.
import { StatementFault } from './fault.ts';

const NEW_LINE = 10;

/** TextDecoder removes the byte order mark and keeps a character that is split between two chunks. */
export class StatementText {
  private readonly decoder = new TextDecoder();
  private isFirst = true;
  private lines = 1;

  push(chunk: Buffer): string {
    if (this.isFirst) refuseUtf16(chunk);
    this.isFirst = false;
    return this.checked(this.decoder.decode(chunk, { stream: true }));
  }

  end(): string {
    return this.checked(this.decoder.decode());
  }

  private checked(text: string): string {
    this.refuseAt(text, text.indexOf('\0'), 'contains the character U+0000');
    // The decoder's replacement for bytes that are not UTF-8.
    this.refuseAt(text, text.indexOf('\ufffd'), 'is not UTF-8');
    this.lines += newLinesIn(text, text.length);
    return text;
  }

  private refuseAt(text: string, index: number, problem: string): void {
    if (index === -1) return;
    const line = this.lines + newLinesIn(text, index);
    throw new StatementFault(`Line ${line} ${problem}. Export the file as UTF-8.`);
  }
}

function newLinesIn(text: string, end: number): number {
  let count = 0;
  for (let index = 0; index < end; index++) if (text.charCodeAt(index) === NEW_LINE) count += 1;
  return count;
}

function refuseUtf16([first, second]: Buffer): void {
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) throw new StatementFault('The file is UTF-16. Export it as UTF-8.');
}
