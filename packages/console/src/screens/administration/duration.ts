// Periods for people: `3 days 4 hours`.

const UNITS: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** With the two largest units that are not zero. */
export function duration(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.floor(seconds);
  for (const [name, size] of UNITS) {
    const value = Math.floor(rest / size);
    rest -= value * size;
    if (value > 0 && parts.length < 2) parts.push(`${value} ${name}${value === 1 ? '' : 's'}`);
  }
  return parts.join(' ') || '0 seconds';
}
