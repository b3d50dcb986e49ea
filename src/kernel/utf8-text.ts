// Decodes the bytes of an uploaded file. Only UTF-8 is accepted, with or without a byte order mark.

const NEW_LINE = 10;

/** TextDecoder removes the byte order mark and keeps a character that is split between two chunks. */
export class Utf8Text {
  private readonly decoder = new TextDecoder();
  private readonly fault: (sentence: string) => Error;
  private isFirst = true;
  private lines = 1;

  /** `fault`: what is thrown, with the sentence that says where the file is wrong. */
  constructor(fault: (sentence: string) => Error) {
    this.fault = fault;
  }

  push(chunk: Buffer): string {
    if (this.isFirst && isUtf16(chunk)) throw this.fault('The file is UTF-16. Export it as UTF-8.');
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
    throw this.fault(`Line ${line} ${problem}. Export the file as UTF-8.`);
  }
}

function newLinesIn(text: string, end: number): number {
  let count = 0;
  for (let index = 0; index < end; index++) if (text.charCodeAt(index) === NEW_LINE) count += 1;
  return count;
}

function isUtf16([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
