// Access tokens: short-lived JWTs that identify a user or a customer. Session and permissions are read from the database on each request.
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

export const ACCESS_TOKEN_SECONDS = 15 * 60;
export const REFRESH_TOKEN_MS = 7 * 24 * 60 * MINUTE_MS;

export interface AccessClaims {
  /** The user's id, or the customer's. */
  userId: string;
  role: string;
  sessionId: string;
  issuedAt: Date;
}

export interface TokenUser {
  id: string;
  /** Customers have none. */
  email?: string;
  role: string;
  /** Null: only the end of the session ends its tokens. */
  tokens_valid_from: Date | null;
}

export interface TokenSession {
  id: string;
  /** No token of the session outlives it. */
  endsAt: number;
}

export interface IssuedToken {
  token: string;
  expiresInSeconds: number;
}

export interface AccessTokens {
  issue(user: TokenUser, session: TokenSession): Promise<IssuedToken>;
  /** Null if the token is invalid or expired. */
  read(token: string): Promise<AccessClaims | null>;
}

export function createAccessTokens({ secret, clock }: { secret: string; clock: Clock }): AccessTokens {
  const key = new TextEncoder().encode(secret);
  return {
    async issue(user, session) {
      // In whole seconds. Rounded up after a password change, so that the new token is not rejected as an old one.
      const validFrom = user.tokens_valid_from?.getTime() ?? 0;
      const now = Math.max(Math.floor(clock.now() / SECOND_MS), Math.ceil(validFrom / SECOND_MS));
      const left = Math.ceil(session.endsAt / SECOND_MS) - now;
      const expiresInSeconds = Math.max(0, Math.min(ACCESS_TOKEN_SECONDS, left));
      // The session is in the header, because the claims are fixed. It also tells apart tokens of one user and second.
      const token = await new SignJWT({ ...(user.email === undefined ? {} : { email: user.email }), role: user.role })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', sid: session.id })
        .setSubject(user.id)
        .setIssuedAt(now)
        .setExpirationTime(now + expiresInSeconds)
        .sign(key);
      return { token, expiresInSeconds };
    },
    async read(token) {
      try {
        const options = {
          algorithms: ['HS256'],
          currentDate: new Date(clock.now()),
          requiredClaims: ['sub', 'iat', 'exp'],
        };
        const { payload, protectedHeader } = await jwtVerify(token, key, options);
        const { sid } = protectedHeader;
        if (typeof sid !== 'string') return null;
        const issuedAt = new Date(Number(payload.iat) * SECOND_MS);
        return { userId: String(payload.sub), role: String(payload.role), sessionId: sid, issuedAt };
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
        throw error;
      }
    },
  };
}
