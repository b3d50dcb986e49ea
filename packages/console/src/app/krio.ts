// The Krio texts, loaded when the user chooses the language.
import type { Messages } from '@lingui/core';
import { messages } from '../locales/kri.po';
import { NAMES } from './names.ts';
import { TITLES } from './titles.ts';

/** Texts that only some screens need, which load them. */
export type Part = 'staff' | 'bulk' | 'agent' | 'refusals';

const PARTS: Record<Part, () => Promise<{ messages: Messages }>> = {
  staff: () => import('../locales/staff/kri.po'),
  bulk: () => import('../locales/bulk/kri.po'),
  agent: () => import('../locales/agent/kri.po'),
  refusals: () => import('../locales/refusals/kri.po'),
};

export async function krioMessages(parts: Iterable<Part>): Promise<Messages> {
  const loaded = await Promise.all([...parts].map((part) => PARTS[part]()));
  const all: Messages = Object.assign({}, messages, ...loaded.map((part) => part.messages));
  // Titles and names are looked up by their English text.
  const names = [...TITLES, ...NAMES].map(({ id, message = id }) => [message, all[id] ?? message] as const);
  return { ...all, ...Object.fromEntries(names) };
}
