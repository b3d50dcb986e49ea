// Audit entries about politically exposed persons (PEPs): without access they show who did what and when, not to whom.
import type { ChainedEntry } from '../../../audit/chain.ts';
import type { Actor } from '../../../audit/log.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import type { Mentions } from '../../../parties/pep-mentions.ts';

export interface EntryMaskingDependencies {
  pep: PepGuard;
  mentions: Mentions;
}

export function createEntryMasking({ pep, mentions }: EntryMaskingDependencies) {
  async function hiddenAmong(actor: Actor, texts: readonly string[]): Promise<boolean[]> {
    const subjects = await mentions(texts);
    const hidden = await pep.hidden(actor, subjects.flat());
    return subjects.map((ids) => ids.some((id) => hidden.has(id)));
  }

  return {
    /** Whether a filter names a PEP or a payment of one: entries that it finds would be attributed to the person. */
    async isHidden(actor: Actor, resourceId: string): Promise<boolean> {
      return (await hiddenAmong(actor, [resourceId])).includes(true);
    },
    async masked(actor: Actor, entries: ChainedEntry[]): Promise<ChainedEntry[]> {
      const texts = entries.map(({ resource_id, details }) => `${resource_id} ${decoded(JSON.stringify(details))}`);
      const isHidden = await hiddenAmong(actor, texts);
      return entries.map((entry, index) => (isHidden[index] ? withoutSubject(entry) : entry));
    },
  };
}

function withoutSubject(entry: ChainedEntry): ChainedEntry {
  return { ...entry, resource_id: null, request_id: null, details: {} };
}

/** Paths may have an encoded plus sign before a phone number. */
function decoded(text: string): string {
  return text.replaceAll(/%2b/gi, '+');
}
