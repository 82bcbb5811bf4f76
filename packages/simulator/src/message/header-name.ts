const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * The canonical form of a header's name, in which rules of `edge-v2` see it, as by Go's `CanonicalMIMEHeaderKey`: the first letter
 * and those after `-` are capitals, others small; a name with a space or an invalid byte stays as it is.
 */
export function canonicalHeaderName(name: string): string {
  if (!TOKEN.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)[a-z]/g, start => start.toUpperCase());
}
