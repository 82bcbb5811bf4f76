/** A token of RFC 9110, section 5.6.2. */
export const HEADER_NAME_PATTERN = "^[\\w!#$%&'*+.^`|~-]+$";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Nearly every recorded header is in this form or in lowercase. */
const CANONICAL = /^[A-Z][a-z]*(?:-[A-Z][a-z]*)*$/;

/**
 * Returns the canonical form of a header name, which rules of `edge-v2` see. Like Go's `CanonicalMIMEHeaderKey`, it
 * capitalizes the first letter and those after `-`, and leaves names with a space or an invalid byte unchanged.
 */
export function canonicalHeaderName(name: string): string {
  if (CANONICAL.test(name) || !TOKEN.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)[a-z]/g, start => start.toUpperCase());
}
