// What is dialled: the service code, and what the menus take as typed after it.

/** Until the operator has a service code. Then any code reaches the menus. */
export const SOME_CODE = '*715#';

/** `4*1` of `*715*4*1#` for the service code `*715#`; null: the number of another service. */
export function typedAfterCode(dialled: string, serviceCode: string): string | null {
  const text = dialled.replaceAll(/\s/g, '');
  if (text === serviceCode) return '';
  const start = `${serviceCode.slice(0, -1)}*`;
  return text.startsWith(start) && text.endsWith('#') ? text.slice(start.length, -1) : null;
}

/** `*715*4*1#` */
export const dialString = (serviceCode: string, typed: string) => `${serviceCode.slice(0, -1)}*${typed}#`;
