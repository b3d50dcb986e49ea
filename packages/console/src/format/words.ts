// Amounts in words, shown below an amount that a person types.

const ONES = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', 'thousand', 'million', 'billion', 'trillion'];

/** 125050 as "one thousand two hundred and fifty leones and fifty cents". */
export function amountInWords(minorUnits: number): string {
  const [whole, cents] = [Math.floor(minorUnits / 100), minorUnits % 100];
  const leones = `${integerInWords(whole)} ${whole === 1 ? 'leone' : 'leones'}`;
  return cents === 0 ? leones : `${leones} and ${integerInWords(cents)} ${cents === 1 ? 'cent' : 'cents'}`;
}

export function integerInWords(value: number): string {
  if (value < 1000) return belowThousand(value);
  const groups: string[] = [];
  for (let rest = value, scale = 0; rest > 0; rest = Math.floor(rest / 1000), scale++) {
    const group = rest % 1000;
    if (group > 0)
      groups.unshift(`${scale === 0 && group < 100 ? 'and ' : ''}${belowThousand(group)} ${SCALES[scale]}`.trim());
  }
  return groups.join(' ');
}

function belowThousand(value: number): string {
  if (value < 20) return ONES[value] ?? '';
  if (value < 100)
    return [TENS[Math.floor(value / 10)], value % 10 === 0 ? '' : ONES[value % 10]].filter(Boolean).join('-');
  const rest = value % 100;
  const hundreds = `${ONES[Math.floor(value / 100)]} hundred`;
  return rest === 0 ? hundreds : `${hundreds} and ${belowThousand(rest)}`;
}
