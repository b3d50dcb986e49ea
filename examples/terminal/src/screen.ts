// The screen and the terminal's keys: text, questions, and a PIN that is not shown.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

const isTerminal = process.stdout.isTTY === true;
const style = (code: string) => (text: string) => (isTerminal ? `\x1b[${code}m${text}\x1b[0m` : text);
export const bold = style('1');
export const green = style('32');
export const red = style('31');
export const yellow = style('33');

export const show = (text = '') => void process.stdout.write(`${text}\n`);

/** Draws a frame around lines, such as those of a receipt. */
export function frame(text: string, width = 34): string {
  const lines = text.split('\n').map((line) => `│ ${line.padEnd(width)} │`);
  const edge = '─'.repeat(width + 2);
  return [`┌${edge}┐`, ...lines, `└${edge}┘`].join('\n');
}

export function openKeypad() {
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const keys = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const lines = keys[Symbol.asyncIterator]();
  let isClosed = false;
  keys.once('close', () => {
    isClosed = true;
  });

  /** Null at the end of the input. */
  async function ask(question: string): Promise<string | null> {
    keys.setPrompt(question);
    // Lines that were entered before the end of the input are still answers.
    if (isClosed) show(question);
    else keys.prompt();
    const { value, done } = await lines.next();
    return done ? null : value.trim();
  }

  return {
    ask,
    async askPin(): Promise<string | null> {
      const answer = ask('PIN: ');
      isHidden = true;
      const pin = await answer;
      isHidden = false;
      show();
      return pin;
    },
    close: () => keys.close(),
  };
}
