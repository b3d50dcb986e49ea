// Request and response schemas for the console's session.
import { Type } from 'typebox';
import { everywhere, tokensReply } from '../admin/sessions/service.ts';

export { doneReply, loginBody, secondFactorBody } from '../admin/sessions/service.ts';

export const logoutBody = Type.Object({ everywhere: Type.Optional(everywhere()) });

const { token, expires_in } = tokensReply.properties;
export const tokenReply = Type.Object({ token, expires_in });
