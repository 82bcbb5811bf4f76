import type { ConfigType } from '@tollgate/catalog';
import type { Finding } from '../document/model/reporter.ts';

/** RFC 7617, section 2: neither the user name nor the password may contain control characters. */
const CONTROL = /[\x00-\x1f\x7f]/;

/** Returns the problem with `user:password`, or undefined. The message follows the name of the value. */
export function credentialsProblem(
  value: string,
  { min, max }: Extract<ConfigType, { kind: 'credentials' }>,
): Pick<Finding, 'code' | 'message' | 'args'> | undefined {
  const colon = value.indexOf(':');
  if (colon < 0) return { code: 'config/bad-shape', message: 'must be `user:password`', args: {} };
  const password = value.slice(colon + 1);
  const hasControl = CONTROL.test(value.slice(0, colon))
    ? 'user name'
    : CONTROL.test(password)
      ? 'password'
      : undefined;
  if (hasControl !== undefined) {
    const refusal = hasControl === 'password' ? 2258 : 2257;
    const message = `must not contain control characters, found one in the ${hasControl}; remove it`;
    return { code: 'config/bad-credentials', message, args: { part: hasControl, refusal } };
  }
  if (password.length < min) {
    const message = `must have a password of at least ${min} characters, found ${password.length}`;
    return { code: 'config/too-short', message, args: { min, found: password.length } };
  }
  if (password.length <= max) return undefined;
  const message = `must have a password of at most ${max} characters, found ${password.length}`;
  return { code: 'config/too-long', message, args: { max, found: password.length } };
}
