// The user changes that can need approval.
import type { Actor } from '../../../audit/log.ts';
import { created, ok } from '../../../http/endpoint.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import { checkPassword, checkPhone, create, type UsersDependencies, update } from './changes.ts';
import { phoneRefusalOf } from './logins.ts';
import { planReset, type ResetPassword } from './password-reset.ts';
import { type NewUser, type UserChanges, userView } from './schemas.ts';
import { findUser, type UserRow } from './store.ts';

interface OneUser {
  id: string;
}

export interface UserOperations {
  create: ChangeOperation<unknown, NewUser, UserRow>;
  update: ChangeOperation<OneUser, UserChanges, UserRow>;
  /** Replaces the password by a temporary one and ends all sessions. The second factor stays. */
  resetPassword: ChangeOperation<OneUser, unknown, ResetPassword>;
}

const ACTION = { kind: 'change', action: 'users.change' } as const;

export function createUserOperations(deps: UsersDependencies): UserOperations {
  async function current(_actor: Actor, { params }: { params: OneUser }) {
    const user = await findUser(deps.database.queries, params.id);
    return user ? userView(user) : null;
  }

  return {
    create: {
      ...ACTION,
      name: 'users.create',
      secretInput: ['password'],
      describe: ({ body }) => `Create a user with the role ${body.role}.`,
      before: async () => null,
      after: userView,
      async plan(actor, { body }) {
        const phone = checkPhone(deps.readPhone, body.phone_number);
        if (phone instanceof Refusal) return phone;
        const hash = await checkPassword(body.password);
        if (hash instanceof Refusal) return hash;
        return (trx) => create(deps, trx, actor, { newUser: body, phone, hash });
      },
      refusalOf: phoneRefusalOf,
      reply({ id, email, first_name, last_name, role, status }) {
        const user = { id, email, first_name, last_name, role, status };
        return created({ success: true, user_id: id, message: 'The user was created.', user });
      },
    },
    update: {
      ...ACTION,
      name: 'users.update',
      secretInput: ['password'],
      describe: ({ params }) => `Change user ${params.id}.`,
      before: current,
      after: userView,
      async plan(actor, { params, body }) {
        const phone = checkPhone(deps.readPhone, body.phone_number);
        if (phone instanceof Refusal) return phone;
        const hash = body.password === undefined ? null : await checkPassword(body.password);
        if (hash instanceof Refusal) return hash;
        return (trx) => update(deps, trx, actor, { id: params.id, changes: body, phone, hash });
      },
      refusalOf: phoneRefusalOf,
      reply: (user) => ok({ success: true, message: 'The user was changed.', user: userView(user) }),
    },
    resetPassword: {
      ...ACTION,
      name: 'users.reset_password',
      secretResult: ['temporary_password'],
      describe: ({ params }) => `Reset the password of user ${params.id}.`,
      before: current,
      after: ({ user }) => userView(user),
      plan(actor, { params }) {
        // A stolen access token must not replace the password it was issued for.
        if (actor.caller.id === params.id) return refuse('FORBIDDEN', 'Another system_admin must reset your password.');
        return planReset(deps, actor, params.id);
      },
      reply({ user, password }) {
        const message = 'The password was reset. It is shown only once, and must be changed at the next login.';
        return ok({ success: true, message, user: userView(user), temporary_password: password });
      },
    },
  };
}
