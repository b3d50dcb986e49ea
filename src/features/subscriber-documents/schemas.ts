// Request and response schemas for the documents of a subscriber.
import { type Static, Type } from 'typebox';
import { line, timestamp } from '../../http/fields.ts';
import { requestIdField } from '../../http/payment-endpoint.ts';
import { iso } from '../../kernel/clock.ts';
import { calendarDay, ID_TYPES } from '../subscribers/service.ts';
import type { StoredDocument } from './store.ts';

export const KINDS = ['identity', 'face'] as const;
export const DOCUMENT_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;

const document = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(KINDS, { description: 'identity: the identity document; face: a photo of the holder.' }),
    type: Type.Enum(DOCUMENT_TYPES, { description: 'The media type of what is stored.' }),
    size: Type.Integer({ description: 'Bytes of what is stored.' }),
    sha256: Type.String({ description: 'Hexadecimal, of what is stored.' }),
    uploaded_by: Type.String({ description: "A user's or an API key's id." }),
    created_at: timestamp(),
  },
  { title: 'SubscriberDocument' },
);

export const uploadQuery = Type.Object({ kind: Type.Enum(KINDS, { description: 'What the file shows.' }) });
export const uploadedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), document },
  { title: 'UploadedSubscriberDocument' },
);
export const documentsReply = Type.Object(
  { documents: Type.Array(document, { description: 'Newest first.' }) },
  { title: 'SubscriberDocuments' },
);
export const documentParams = Type.Object({
  id: Type.String({ minLength: 1 }),
  documentId: Type.String({ minLength: 1, description: 'One of the documents of the subscriber.' }),
});
export const documentContent = Type.Unsafe<unknown>({
  description: 'The document, as an attachment.',
  content: Object.fromEntries(
    DOCUMENT_TYPES.map((type) => [type, { schema: Type.String({ format: 'binary', description: 'The file.' }) }]),
  ),
});

export const levelBody = Type.Object(
  {
    id_type: Type.Enum(ID_TYPES),
    id_number: line(64),
    date_of_birth: Type.Optional(calendarDay()),
    identity_document_id: Type.String({ minLength: 1, description: 'The uploaded identity document.' }),
    face_document_id: Type.String({ minLength: 1, description: 'The uploaded photo of the face.' }),
    request_id: Type.Optional(requestIdField()),
  },
  { title: 'LevelRequest' },
);
export type LevelBody = Static<typeof levelBody>;

export const raisedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), subscriber_id: Type.String(), kyc_level: Type.Integer() },
  { title: 'RaisedLevel' },
);

export function documentView({ subscriber_id: _, ...row }: StoredDocument): Static<typeof document> {
  return { ...row, sha256: row.sha256.toString('hex'), created_at: iso(row.created_at) };
}
