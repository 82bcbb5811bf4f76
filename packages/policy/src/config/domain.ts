import type { Finding } from '../document/model/reporter.ts';
import { decodePunycode } from './punycode.ts';

/** RFC 1035, section 2.3.1, plus underscores and leading digits, which are in use. */
export const DOMAIN_PATTERN =
  '^[.]?(?=.{1,253}$)(?:[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?[.])*[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$';

const DOMAIN = new RegExp(DOMAIN_PATTERN, 'u');

/** Returns the problem with a domain name, or undefined. The message follows the name of the value. */
export function domainProblem(value: string): Pick<Finding, 'code' | 'message' | 'args'> | undefined {
  if (!DOMAIN.test(value)) {
    const message = `must be a domain such as \`example.com\`, found \`${value}\`${/[:/]/.test(value) ? '; remove the scheme, port and path' : ''}`;
    return { code: 'config/bad-domain', message, args: { found: value } };
  }
  const encoded = value.split('.').filter(label => /^xn--/i.test(label));
  if (encoded.every(label => decodePunycode(label.slice(4)) !== undefined)) return undefined;
  const message = `must be a domain in valid Punycode, found \`${value}\``;
  return { code: 'config/bad-punycode', message, args: { found: value } };
}
