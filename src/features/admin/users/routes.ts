// Endpoints for administrators to manage the users of staff and agents.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { Users } from './service.ts';

export function userRoutes(users: Users, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'createUser',
      clientMethod: 'users.create',
      method: 'POST',
      path: '/admin/users',
      permission: 'users',
      summary: 'Create a user',
      description: "A processor's user is created with the processor, not here.",
      action: 'user.create',
      body: schemas.createUserBody,
      replies: { 201: schemas.createUserReply, 202: pendingReply },
      refusals: ['USER_EXISTS', 'DUPLICATE_PHONE'],
      handle: (call) => gate.change(call, users.operations.create),
    }),
    endpoint({
      id: 'listUsers',
      clientMethod: 'users.list',
      method: 'GET',
      path: '/admin/users',
      permission: 'users',
      summary: 'List users, newest first',
      query: schemas.usersQuery,
      replies: { 200: schemas.usersReply },
      handle: async ({ query }) => {
        const { limit: _, offset: __, second_factor, ...plain } = query;
        const filter = { ...plain, ...(second_factor && { hasSecondFactor: second_factor === 'true' }) };
        const page = pageOf(query);
        const { rows: found, total } = await users.list(filter, page);
        return ok({ users: found.map(schemas.userView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getUser',
      clientMethod: 'users.get',
      method: 'GET',
      path: '/admin/users/:id',
      permission: 'users',
      summary: 'Get a user',
      params: idParams,
      replies: { 200: Type.Object({ user: schemas.userRecord }) },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const user = await users.get(params.id);
        return user instanceof Refusal ? user : ok({ user: schemas.userView(user) });
      },
    }),
    endpoint({
      id: 'updateUser',
      clientMethod: 'users.update',
      method: 'PUT',
      path: '/admin/users/:id',
      permission: 'users',
      summary: 'Update a user; omitted fields keep their values',
      description: 'A suspended user is logged out at once.',
      action: 'user.update',
      params: idParams,
      body: schemas.updateUserBody,
      current: async ({ params }) => {
        const user = await users.get(params.id);
        if (user instanceof Refusal) return user;
        // A status that is sent counts even if it is the current one: it no longer follows an agent's status.
        const { status: _, ...rest } = schemas.userView(user);
        return rest;
      },
      replies: { 200: schemas.updateUserReply, 202: pendingReply },
      refusals: [
        'NOT_FOUND',
        'DUPLICATE_PHONE',
        'LAST_ADMIN',
        { code: 'AGENT_SUSPENDED', status: 409 },
        'AGENT_TERMINATED',
      ],
      handle: (call) => gate.change(call, users.operations.update),
    }),
    endpoint({
      id: 'resetPassword',
      clientMethod: 'users.resetPassword',
      method: 'POST',
      path: '/admin/users/:id/reset-password',
      permission: 'users',
      summary: 'Replace a forgotten password with a temporary one, shown once; ends every session of the user',
      description: 'Except in development, the user must change it at the next login.',
      action: 'user.reset_password',
      params: idParams,
      replies: { 200: schemas.resetPasswordReply, 202: pendingReply },
      refusals: ['NOT_FOUND'],
      handle: (call) => gate.change(call, users.operations.resetPassword),
    }),
  ];
}
