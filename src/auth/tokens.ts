// Access tokens: short-lived JWTs that identify a user. Permissions are read from the database on each request.
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

export const ACCESS_TOKEN_SECONDS = 15 * 60;
export const REFRESH_TOKEN_MS = 7 * 24 * 60 * MINUTE_MS;

export interface AccessClaims {
  userId: string;
  issuedAt: Date;
}

export interface AccessTokens {
  issue(user: { id: string; email: string; role: string; tokens_valid_from: Date }): Promise<string>;
  /** Null if the token is invalid or expired. */
  read(token: string): Promise<AccessClaims | null>;
}

export function createAccessTokens({ secret, clock }: { secret: string; clock: Clock }): AccessTokens {
  const key = new TextEncoder().encode(secret);
  return {
    async issue(user) {
      // In whole seconds. Rounded up after a password change, so that the new token is not rejected as an old one.
      const validFrom = user.tokens_valid_from.getTime();
      const now = Math.max(Math.floor(clock.now() / SECOND_MS), Math.ceil(validFrom / SECOND_MS));
      return new SignJWT({ email: user.email, role: user.role })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(user.id)
        .setIssuedAt(now)
        .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
        .sign(key);
    },
    async read(token) {
      try {
        const options = {
          algorithms: ['HS256'],
          currentDate: new Date(clock.now()),
          requiredClaims: ['sub', 'iat', 'exp'],
        };
        const { payload } = await jwtVerify(token, key, options);
        return { userId: String(payload.sub), issuedAt: new Date(Number(payload.iat) * SECOND_MS) };
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
        throw error;
      }
    },
  };
}
