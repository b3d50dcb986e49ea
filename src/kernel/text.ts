// Text that people typed, in the form it is kept and looked for in.

/** No blanks around it, and one form for each letter: é as one character or as two finds the same people. */
export function tidy(text: string): string {
  return text.trim().normalize('NFC');
}

/** What is not given, or taken away, stays what it is. */
export function tidyOptional<Missing extends null | undefined>(text: string | Missing): string | Missing {
  return typeof text === 'string' ? tidy(text) : text;
}
