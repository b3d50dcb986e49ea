// The Krio texts, loaded when the user chooses the language.
import type { Messages } from '@lingui/core';
import { messages } from '../locales/kri.po';
import { NAMES } from './names.ts';
import { TITLES } from './titles.ts';

export async function krioMessages(isStaff: boolean): Promise<Messages> {
  const all = isStaff ? { ...messages, ...(await import('../locales/staff/kri.po')).messages } : messages;
  // Titles and names are looked up by their English text.
  const names = [...TITLES, ...NAMES].map(({ id, message = id }) => [message, all[id] ?? message] as const);
  return { ...all, ...Object.fromEntries(names) };
}
