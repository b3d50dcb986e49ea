// Files of a case: JPEG, PNG and PDF, encrypted with the customer's own key, never changed, and downloaded as attachments.
import { createHash } from 'node:crypto';
import type { Actor } from '../../audit/log.ts';
import type { FileChunks } from '../../http/upload.ts';
import { iso } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { oneLine } from '../../kernel/text.ts';
import { type CasesContext, noSuchCase } from './context.ts';
import * as store from './store.ts';

export const FILE_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;
type FileType = (typeof FILE_TYPES)[number];
export const MAX_FILE_BYTES = 1024 * 1024;
const MOST_FILES = 20;

/** How each type begins, and its usual ending. */
const FORMS: Record<FileType, { starts: Buffer; ending: string }> = {
  'image/jpeg': { starts: Buffer.from([0xff, 0xd8, 0xff]), ending: 'jpg' },
  'image/png': { starts: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ending: 'png' },
  'application/pdf': { starts: Buffer.from('%PDF-'), ending: 'pdf' },
};

export interface CaseFile {
  id: string;
  name: string;
  type: string;
  size: number;
  sha256: string;
  uploaded_by: string;
  created_at: string;
}

interface NewFile {
  chunks: FileChunks;
  type: string;
  name: string | undefined;
}

type FindVisible = (actor: Actor, id: string) => Promise<store.FoundCase | Refusal>;

export function createFiles({ database, audit, ownKeys, clock }: CasesContext, findVisible: FindVisible) {
  const { queries } = database;

  return {
    async list(caseId: string): Promise<CaseFile[]> {
      return (await store.filesOf(queries, caseId)).map(fileView);
    },

    async add(actor: Actor, caseId: string, { chunks, type, name }: NewFile): Promise<CaseFile | Refusal> {
      const found = await findVisible(actor, caseId);
      if (found instanceof Refusal) return found;
      const form = FORMS[type as FileType];
      const bytes = await read(chunks);
      if (!bytes.subarray(0, form.starts.length).equals(form.starts)) {
        return refuse('INVALID_REQUEST', `The file is not of the type ${type}.`);
      }
      const id = newId('cfile', clock);
      const row = {
        ...{ id, case_id: caseId, type: type as FileType, size: bytes.length },
        name: oneLine(name ?? '') ?? `${id}.${form.ending}`,
        sha256: createHash('sha256').update(bytes).digest(),
        ...{ uploaded_by: String(actor.caller.id), created_at: new Date(clock.now()) },
      };
      return database.transact(async (trx) => {
        if (!(await store.lockCase(trx, caseId))) return noSuchCase();
        if ((await store.filesOf(trx, caseId)).length >= MOST_FILES) return tooManyFiles();
        const sealed = await ownKeys.seal(trx, found.subscriber_id, bytes.toString('base64'), id);
        if (sealed === null) return erased();
        await trx
          .insertInto('case_files')
          .values({ ...row, sealed })
          .execute();
        const view = fileView(row);
        const details = { file_id: id, type, size: row.size, sha256: view.sha256 };
        await store.addEvent(trx, clock, caseId, actor.caller, { kind: 'file', text: row.name, details });
        await audit.record(trx, actor, { action: 'case.file', resourceType: 'case', resourceId: caseId, details });
        return view;
      });
    },

    /** Each download is audited. */
    async read(actor: Actor, caseId: string, fileId: string) {
      const found = await findVisible(actor, caseId);
      if (found instanceof Refusal) return found;
      const file = await store.findFile(queries, caseId, fileId);
      if (!file) return refuse('NOT_FOUND', 'The case has no such file.');
      const content = await ownKeys.open(queries, found.subscriber_id, file.sealed, file.id);
      if (content === null) return erased();
      const details = { file_id: fileId };
      await audit.record(queries, actor, {
        action: 'case.read_file',
        resourceType: 'case',
        resourceId: caseId,
        details,
      });
      return {
        bytes: Buffer.from(content, 'base64'),
        type: file.type,
        name: `${file.id}.${FORMS[file.type as FileType].ending}`,
      };
    },
  };
}

async function read(chunks: FileChunks): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

function fileView({ id, name, type, size, sha256, uploaded_by, created_at }: store.FileRow): CaseFile {
  return { id, name, type, size, sha256: sha256.toString('hex'), uploaded_by, created_at: iso(created_at) };
}

function erased(): Refusal {
  return refuse('PERSONAL_DATA_ERASED', "The customer's personal data was erased, and the files with it.");
}

function tooManyFiles(): Refusal {
  return refuse('FILE_LIMIT', `A case has at most ${MOST_FILES} files.`);
}
