// API keys that a processor's own login creates and revokes, without approval: they take payments, and pay nothing out.
import { type Static, Type } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { isOwnKey, OWN_SCOPES } from '../../auth/roles.ts';
import { line, timestamp } from '../../http/fields.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { noSuchProcessor } from '../../parties/processor.ts';
import type { ApiKeys, IssuedKey } from '../admin/api-keys/service.ts';
import type { ProcessorContext } from './context.ts';

export const ownKeyBody = Type.Object({
  name: line(),
  scopes: Type.Array(Type.Enum(OWN_SCOPES), { minItems: 1, maxItems: OWN_SCOPES.length }),
  expires_at: Type.Optional(timestamp()),
});
export const ownKeyParams = Type.Object({
  id: Type.String({ minLength: 1 }),
  key_id: Type.String({ minLength: 1, description: 'The id of the API key.' }),
});

export function createOwnKeys({ apiKeys, findProcessor }: Pick<ProcessorContext, 'apiKeys' | 'findProcessor'>) {
  /** Not for administrators either: what they create can need approval. */
  async function ownerRefusal(caller: Caller, id: string): Promise<Refusal | null> {
    if (!(await findProcessor(id))) return noSuchProcessor();
    const isOwner = caller.kind === 'user' && caller.role === 'processor' && caller.processorId === id;
    return isOwner ? null : refuse('FORBIDDEN', 'Only a login of the processor creates and revokes its own keys.');
  }

  return {
    async create(actor: Actor, id: string, body: Static<typeof ownKeyBody>): Promise<IssuedKey | Refusal> {
      return (await ownerRefusal(actor.caller, id)) ?? apiKeys.issueTo(actor, { ...body, processor_id: id });
    },
    async revoke(actor: Actor, { id, key_id }: Static<typeof ownKeyParams>): Promise<Refusal | null> {
      const refusal = (await ownerRefusal(actor.caller, id)) ?? (await foreignRefusal(apiKeys, id, key_id));
      return refusal ?? apiKeys.revoke(actor, key_id);
    },
  };
}

async function foreignRefusal(apiKeys: Pick<ApiKeys, 'get'>, id: string, keyId: string): Promise<Refusal | null> {
  const key = await apiKeys.get(keyId);
  if (key instanceof Refusal) return key;
  if (key.processor_id !== id) return refuse('NOT_FOUND', 'The processor has no such key.');
  if (isOwnKey(key.scopes)) return null;
  return refuse(
    'FORBIDDEN',
    'Only the operator can revoke keys with scopes other than payments:read and payments:write.',
  );
}
