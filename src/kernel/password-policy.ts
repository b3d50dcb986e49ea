// Password policy for staff.
export const MAX_PASSWORD_LENGTH = 128;
export const PASSWORD_RULE =
  'must have 8 to 128 characters with an uppercase letter, a lowercase letter, a digit and a special character (a space counts)';

export function isStrongPassword(password: string): boolean {
  return (
    password.length >= 8 &&
    password.length <= MAX_PASSWORD_LENGTH &&
    /\p{Lu}/u.test(password) &&
    /\p{Ll}/u.test(password) &&
    /\d/.test(password) &&
    /[^\p{L}\p{N}\s]| /u.test(password)
  );
}
