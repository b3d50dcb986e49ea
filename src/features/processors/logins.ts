// Further logins of a processor, which can need a second user's approval. The temporary password is sent to the phone.
import { type Static, Type } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { generatePassword, hashPassword } from '../../auth/passwords.ts';
import type { Queries } from '../../db/database.ts';
import { created } from '../../http/endpoint.ts';
import { email, line, phoneNumber } from '../../http/fields.ts';
import { refuse } from '../../kernel/refusal.ts';
import { noSuchProcessor } from '../../parties/processor.ts';
import { phoneRefusalOf, type UserRow, userView } from '../admin/users/service.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import type { ProcessorContext } from './context.ts';
import { lockProcessor } from './store.ts';

export const loginBody = Type.Object({
  email: email(),
  first_name: line(),
  last_name: line(),
  phone_number: phoneNumber(),
});

export { createUserReply as loginReply } from '../admin/users/service.ts';

type NewLogin = Static<typeof loginBody>;

export function createLoginOperation(context: ProcessorContext): ChangeOperation<{ id: string }, NewLogin, UserRow> {
  const { users, messaging, phone } = context;

  async function add(trx: Queries, actor: Actor, id: string, login: NewLogin & { password: string; hash: string }) {
    const processor = await lockProcessor(trx, id);
    if (!processor) return noSuchProcessor();
    if (processor.status !== 'active') return refuse('PROCESSOR_SUSPENDED', 'The processor is suspended.');
    const { password, hash: password_hash, ...fields } = login;
    const owner = { processor_id: id };
    const user = await users.createLogin(trx, actor, { ...fields, password_hash, role: 'processor', owner });
    if (!user) return refuse('USER_EXISTS', 'A user with this email already exists.');
    const text = `Your Kissi login: ${user.email}\nTemporary password: ${password}\nPlease change the password after logging in.`;
    await messaging.send(trx, { to: fields.phone_number, kind: 'credentials', text });
    return user;
  }

  return {
    kind: 'change',
    name: 'processors.create_login',
    action: 'users.change',
    describe: ({ params }) => `Create another login for processor ${params.id}.`,
    before: async () => null,
    after: userView,
    async plan(actor, { params, body }) {
      const phone_number = phone(body.phone_number);
      if (phone_number === null) return refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.');
      const password = generatePassword();
      const login = { ...body, phone_number, password, hash: await hashPassword(password) };
      return (trx) => add(trx, actor, params.id, login);
    },
    refusalOf: phoneRefusalOf,
    reply(user) {
      const message = 'The login was created. Its password was sent to its phone number.';
      return created({ success: true, user_id: user.id, message, user: userView(user) });
    },
  };
}
