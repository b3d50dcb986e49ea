// Amounts of money in English words, for documents in which a figure alone could be altered.
const ONES = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', ' thousand', ' million', ' billion', ' trillion', ' quadrillion'];

/** 123456 → "One thousand two hundred and thirty-four leones and fifty-six cents". */
export function amountInWords(minorUnits: number): string {
  if (!Number.isSafeInteger(minorUnits) || minorUnits < 0) throw new Error(`not an amount: ${minorUnits}`);
  const [whole, cents] = [Math.trunc(minorUnits / 100), minorUnits % 100];
  const leones = `${numberInWords(whole)} ${whole === 1 ? 'leone' : 'leones'}`;
  const words = cents === 0 ? leones : `${leones} and ${numberInWords(cents)} ${cents === 1 ? 'cent' : 'cents'}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function numberInWords(value: number): string {
  if (value < 1_000) return below1000(value);
  const groups: string[] = [];
  for (let [rest, scale] = [value, 0]; rest > 0; rest = Math.trunc(rest / 1_000), scale += 1) {
    const group = rest % 1_000;
    if (group > 0) groups.unshift(`${below1000(group)}${SCALES[scale]}`);
  }
  // "One thousand and five", but "one thousand two hundred and five".
  const last = value % 1_000;
  if (last > 0 && last < 100) groups.splice(-1, 0, 'and');
  return groups.join(' ');
}

function below1000(value: number): string {
  const [hundreds, rest] = [Math.trunc(value / 100), value % 100];
  if (hundreds === 0) return below100(rest);
  const text = `${ONES[hundreds]} hundred`;
  return rest === 0 ? text : `${text} and ${below100(rest)}`;
}

function below100(value: number): string {
  if (value < 20) return ONES[value] ?? '';
  const [tens, ones] = [TENS[Math.trunc(value / 10)], value % 10];
  return ones === 0 ? `${tens}` : `${tens}-${ONES[ones]}`;
}
