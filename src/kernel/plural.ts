// A number with its noun, for messages: "1 movement", "2,000 movements".

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
