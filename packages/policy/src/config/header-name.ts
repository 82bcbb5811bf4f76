/** A token of RFC 9110, section 5.6.2. */
export const HEADER_NAME_PATTERN = "^[\\w!#$%&'*+.^`|~-]+$";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Nearly every header is recorded in this form, or in small letters. */
const CANONICAL = /^[A-Z][a-z]*(?:-[A-Z][a-z]*)*$/;

/**
 * The canonical form of a header's name, in which rules of `edge-v2` see it, as by Go's `CanonicalMIMEHeaderKey`: the first letter
 * and those after `-` are capitals, others small; a name with a space or an invalid byte stays as it is.
 */
export function canonicalHeaderName(name: string): string {
  if (CANONICAL.test(name) || !TOKEN.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)[a-z]/g, start => start.toUpperCase());
}
