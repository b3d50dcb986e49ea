// The look-ups of parties that several services share: each reads by id, in batches, over one connection.
import type { Reader } from '../db/driver/reader.ts';
import { accountKinds } from '../ledger/account-kinds.ts';
import { agentById } from '../parties/agent.ts';
import { createCardLookups } from '../parties/card.ts';
import { fundingPartnerById, partnerById } from '../parties/partner.ts';
import { processorById } from '../parties/processor.ts';
import { createHolders } from '../parties/subscriber.ts';

export function createPartyLookups(reader: Reader) {
  return {
    kindOf: accountKinds(reader),
    holders: createHolders(reader),
    findAgent: agentById(reader),
    findProcessor: processorById(reader),
    findPartner: fundingPartnerById(reader),
    findPartnerTerms: partnerById(reader),
    cardLookups: createCardLookups(reader),
  };
}
