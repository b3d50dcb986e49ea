// An agent's request to raise a customer to level 2, on documents that the agent uploaded. Compliance decides.
import type { Queries } from '../../db/database.ts';
import { ok } from '../../http/endpoint.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import type { DocumentsContext, Kind } from './context.ts';
import type { LevelBody } from './schemas.ts';

import { documentsOf, hasOpenRequest, type StoredDocument } from './store.ts';

interface Raised {
  id: string;
  kyc_level: number;
  id_type: string | null;
  id_number: string | null;
  date_of_birth: string | null;
  /** Kind, id and SHA-256 of each: what the approver has to look at. */
  documents: string[];
}

type Operation = ChangeOperation<{ id: string }, LevelBody, Raised>;

const OPERATION = 'subscribers.request_level';

export function createLevelRequest({ subscribers, clock }: Pick<DocumentsContext, 'subscribers' | 'clock'>) {
  const { levels } = subscribers;

  const operation: Operation = {
    kind: 'change',
    name: OPERATION,
    action: 'kyc.raise',
    permission: 'subscribers:request-level',
    always: true,
    namesShortened: true,
    requestKey: ({ params, body }) => (body.request_id ? { scope: params.id, id: body.request_id } : null),
    describe: ({ params }) => `Raise subscriber ${params.id} to KYC level 2 on documents that the agent uploaded.`,
    // The agent's request shows what the agent filed, not what the record has.
    before: async () => ({ kyc_level: 1, id_type: null, id_number: null, date_of_birth: null, documents: [] }),
    after: ({ id: _, ...after }) => after,
    plan: (actor, { params, body }) => {
      const identity = {
        id_type: body.id_type,
        id_number: tidy(body.id_number),
        ...(body.date_of_birth === undefined ? {} : { date_of_birth: body.date_of_birth }),
      };
      return async (trx) => {
        const before = await subscribers.lock(trx, params.id);
        if (!before) return noSuchSubscriber('subscriber', 'NOT_FOUND');
        const refusal = (await levels.filingRefusal(trx, actor, before)) ?? levels.refusal(before, identity);
        if (refusal) return refusal;
        const documents = await named(trx, params.id, body);
        if (!Array.isArray(documents)) return documents;
        // Otherwise one agent fills the list from which compliance decides about everybody.
        const isAsking = actor.approval === undefined;
        if (isAsking && (await hasOpenRequest(trx, OPERATION, params.id, new Date(clock.now())))) return isOpen();
        const { id, kyc_level, id_type, id_number, date_of_birth } = await levels.raise(trx, actor, before, identity);
        return { id, kyc_level, id_type, id_number, date_of_birth, documents: documents.map(line) };
      };
    },
    refusalOf: (error) => subscribers.takenRefusal(error),
    subscriberId: ({ params }) => params.id,
    reply: ({ id, kyc_level }) =>
      ok({ success: true, message: `The subscriber is at KYC level ${kyc_level}.`, subscriber_id: id, kyc_level }),
    approverRefusal: async (queries, approver, { params, body }) => {
      const uploaders = (await documentsOf(queries, params.id)).filter(({ id }) => idsIn(body).includes(id));
      return uploaders.some(({ uploaded_by }) => uploaded_by === approver.id) ? notIndependent() : null;
    },
  };
  return operation;

  async function named(trx: Queries, subscriberId: string, body: LevelBody): Promise<StoredDocument[] | Refusal> {
    const stored = await documentsOf(trx, subscriberId);
    const wanted: [Kind, string][] = [
      ['identity', body.identity_document_id],
      ['face', body.face_document_id],
    ];
    const found = wanted.map(([kind, id]) => stored.find((each) => each.kind === kind && each.id === id));
    const missing = wanted.filter((_, index) => !found[index]).map(([kind]) => `${kind}_document_id`);
    if (missing.length === 0) return found as StoredDocument[];
    return refuse('KYC_REQUIREMENT_MISSING', `KYC level 2 requires ${missing.join(', ')} of uploaded documents.`, {
      details: { missing },
    });
  }
}

const idsIn = ({ identity_document_id, face_document_id }: LevelBody) => [identity_document_id, face_document_id];
const line = ({ kind, id, sha256 }: StoredDocument) => `${kind} ${id} sha256:${sha256.toString('hex')}`;
const isOpen = () => refuse('LEVEL_REQUEST_OPEN', 'Compliance has not decided your last request yet.');
const notIndependent = () =>
  refuse('NOT_INDEPENDENT', 'You uploaded a document of this request: another user has to decide.');
