// The PINs that people choose most often. An attacker with three guesses tries these first.

/** Digits in the order of a keypad row; runs of four, in both directions, are common PINs. */
const RUNS = ['01234567890', '09876543210'];

/**
 * The most frequent PINs in published collections that are neither repeated digits, runs nor years: repeated pairs,
 * lines and corners of the keypad, and words.
 */
const FREQUENT = [
  ...['1010', '1212', '1313', '1414', '1515', '2020', '2121', '2323', '2525', '6969', '0101', '0202', '1122', '1221'],
  ...['1004', '1342', '1357', '2468', '2580', '0852', '1470', '0741', '1379', '1397', '7913', '5683', '1236', '1230'],
];

/** Most PINs that look like a year are a birth year, which other people know. */
const FIRST_YEAR = 1950;
const LAST_YEAR = 2029;

const COMMON: ReadonlySet<string> = new Set([
  ...Array.from({ length: 10 }, (_, digit) => String(digit).repeat(4)),
  ...RUNS.flatMap((run) => Array.from({ length: run.length - 3 }, (_, start) => run.slice(start, start + 4))),
  ...FREQUENT,
  ...Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => String(FIRST_YEAR + index)),
]);

export function isCommonPin(pin: string): boolean {
  return COMMON.has(pin);
}
