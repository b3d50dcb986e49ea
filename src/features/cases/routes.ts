// Endpoints of cases for staff: the queue, one case, its actions, and the clocks.
import { created, type Endpoint, endpoint, fileReply, ok, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Gate } from '../approvals/service.ts';
import { clockRoutes } from './clocks/routes.ts';
import { FILE_TYPES, MAX_FILE_BYTES } from './files.ts';
import { recallRoutes } from './recalls/routes.ts';
import { changed, SEEN } from './replies.ts';
import * as schemas from './schemas.ts';
import type { CaseDetails, Cases } from './service.ts';

export function caseRoutes(cases: Cases, gate: Gate): Endpoint[] {
  return [
    ...queueRoutes(cases),
    ...actionRoutes(cases),
    ...recallRoutes(cases, gate),
    ...fileRoutes(cases),
    ...clockRoutes(cases),
  ];
}

function queueRoutes(cases: Cases): Endpoint[] {
  return [
    endpoint({
      id: 'openCase',
      clientMethod: 'cases.open',
      method: 'POST',
      path: '/cases',
      permission: 'cases:write',
      summary: 'Open a case for a customer',
      description:
        'For support and compliance. A wrong transfer is recalled only after the customer confirmed it with the PIN on their own channel: /me/cases/{id}/confirm.',
      action: 'case.open',
      body: schemas.openBody,
      replies: { 201: schemas.changedReply },
      refusals: [...SEEN, 'CASE_EXISTS'],
      handle: async (call) => opened(await cases.open(call, call.body)),
    }),
    endpoint({
      id: 'listCases',
      clientMethod: 'cases.list',
      method: 'GET',
      path: '/cases',
      permission: 'cases:read',
      summary: 'List cases, by default the newest first; as CSV it is the register',
      description: 'Without those of politically exposed persons, unless access to their records is open.',
      query: schemas.casesQuery,
      replies: { 200: schemas.casesReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await cases.list(call, { ...call.query, ...page });
        return found instanceof Refusal ? found : ok({ cases: found.cases, total_count: found.total, ...page });
      },
    }),
    endpoint({
      id: 'getCase',
      clientMethod: 'cases.get',
      method: 'GET',
      path: '/cases/:id',
      permission: 'cases:read',
      summary: 'Get a case with its recall, timeline and files',
      params: idParams,
      replies: { 200: schemas.caseDetailsReply },
      csv: false,
      refusals: [...SEEN],
      handle: async (call) => {
        const found = await cases.get(call, call.params.id);
        return found instanceof Refusal ? found : ok({ case: found });
      },
    }),
  ];
}

function actionRoutes(cases: Cases): Endpoint[] {
  return [
    endpoint({
      id: 'assignCase',
      clientMethod: 'cases.assign',
      method: 'POST',
      path: '/cases/:id/assign',
      permission: 'cases:write',
      summary: 'Assign a case to a user, or to nobody',
      action: 'case.assign',
      params: idParams,
      body: schemas.assignBody,
      replies: { 200: schemas.changedReply },
      refusals: [...SEEN, 'USER_NOT_FOUND', 'CASE_CLOSED'],
      handle: async (call) =>
        changed('The case was assigned.', await cases.assign(call, call.params.id, call.body.assignee_id ?? null)),
    }),
    endpoint({
      id: 'addCaseNote',
      clientMethod: 'cases.addNote',
      method: 'POST',
      path: '/cases/:id/notes',
      permission: 'cases:write',
      summary: 'Add a note for staff; notes cannot be changed or deleted',
      action: 'case.note',
      params: idParams,
      body: schemas.noteBody,
      replies: { 200: schemas.changedReply },
      refusals: [...SEEN],
      handle: async (call) => changed('The note was added.', await cases.addNote(call, call.params.id, call.body.text)),
    }),
    endpoint({
      id: 'sendCaseMessage',
      clientMethod: 'cases.sendMessage',
      method: 'POST',
      path: '/cases/:id/messages',
      permission: 'cases:write',
      summary: 'Write something into the case that its customer sees',
      action: 'case.message',
      params: idParams,
      body: schemas.messageBody,
      replies: { 200: schemas.changedReply },
      refusals: [...SEEN, 'CASE_CLOSED'],
      handle: async (call) =>
        changed('The message was added.', await cases.addMessage(call, call.params.id, call.body.text)),
    }),
    endpoint({
      id: 'changeCaseState',
      clientMethod: 'cases.changeState',
      method: 'POST',
      path: '/cases/:id/state',
      permission: 'cases:write',
      summary: 'Change the state of a case, with the reason; the customer is told',
      description: 'Resolved and rejected are final. A case whose recall waits for its recipient cannot be closed.',
      action: 'case.state',
      params: idParams,
      body: schemas.stateBody,
      replies: { 200: schemas.changedReply },
      refusals: [...SEEN, 'CASE_CLOSED', 'RECALL_OPEN'],
      handle: async (call) =>
        changed('The state was changed.', await cases.changeState(call, call.params.id, call.body)),
    }),
    endpoint({
      id: 'markCaseComplex',
      clientMethod: 'cases.markComplex',
      method: 'POST',
      path: '/cases/:id/complex',
      permission: 'cases:write',
      summary: 'Mark a case as complex, which gives it more time, once; the customer is told',
      action: 'case.complex',
      params: idParams,
      body: schemas.reasonBody,
      replies: { 200: schemas.changedReply },
      refusals: [...SEEN, 'CASE_CLOSED', 'ALREADY_DECIDED'],
      handle: async (call) =>
        changed('The case has more time.', await cases.markComplex(call, call.params.id, call.body.reason)),
    }),
  ];
}

function fileRoutes({ files }: Cases): Endpoint[] {
  return [
    endpoint({
      id: 'uploadCaseFile',
      clientMethod: 'cases.uploadFile',
      method: 'POST',
      path: '/cases/:id/files',
      permission: 'cases:write',
      summary: 'Upload a file to a case: JPEG, PNG or PDF of at most 1 MiB, stored encrypted',
      action: 'case.file',
      upload: {
        mediaTypes: FILE_TYPES,
        atomic: true,
        limitBytes: MAX_FILE_BYTES,
        description: 'The file. Its content must be of its media type.',
      },
      params: idParams,
      query: schemas.fileQuery,
      replies: { 201: schemas.fileReply },
      refusals: [...SEEN, 'FILE_LIMIT', 'PERSONAL_DATA_ERASED'],
      handle: async (call) => {
        const { file, fileType, params, query } = call;
        const stored = await files.add(call, params.id, { chunks: file, type: fileType, name: query.name });
        if (stored instanceof Refusal) return stored;
        return created({ success: true, message: 'The file was stored.', file: stored });
      },
    }),
    endpoint({
      id: 'getCaseFile',
      clientMethod: 'cases.file',
      method: 'GET',
      path: '/cases/:id/files/:fileId',
      permission: 'cases:files',
      summary: 'Download a file of a case',
      params: schemas.fileParams,
      replies: { 200: schemas.fileContent },
      csv: false,
      refusals: [...SEEN, 'PERSONAL_DATA_ERASED'],
      handle: async (call) => {
        const found = await files.read(call, call.params.id, call.params.fileId);
        if (found instanceof Refusal) return found;
        return fileReply(found.bytes, found.type, found.name, {
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
      },
    }),
  ];
}

function opened(details: CaseDetails | Refusal): Reply | Refusal {
  if (details instanceof Refusal) return details;
  return created({ success: true, message: `The case ${details.number} was opened.`, case: details });
}
