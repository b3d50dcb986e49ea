// What is wrong with an uploaded file.

/** Thrown by the readers; the upload turns it into a refusal. The sentence says where the fault is. */
export class FileFault extends Error {}

export function faultOf(sentence: string): FileFault {
  return new FileFault(sentence);
}

const MAX_SHOWN_CHARACTERS = 40;

/** What the file contains, shortened. */
export function shown(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_SHOWN_CHARACTERS)];
  const cut = characters.length > MAX_SHOWN_CHARACTERS ? '…' : '';
  return JSON.stringify(characters.slice(0, MAX_SHOWN_CHARACTERS).join('') + cut);
}
