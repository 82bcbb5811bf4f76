/** The parsed value of a `Content-Type` header. */
interface MediaType {
  /** In lower case: `text/html`. */
  readonly type: string;
  /** Names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters: RFC 9110, section 5.6.6. */
const PARAMETER = /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:\\.|[^"\\])*)"))?/g;

/** Parses the value of a `Content-Type` header. Malformed parameters are dropped. */
export function readMediaType(text: string): MediaType {
  const end = text.indexOf(';');
  const type = (end < 0 ? text : text.slice(0, end)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  for (const [, name, token, quoted] of end < 0 ? [] : text.slice(end).matchAll(PARAMETER)) {
    if (name !== undefined) parameters.set(name.toLowerCase(), token ?? quoted!.replaceAll(/\\(.)/g, '$1'));
  }
  return { type, parameters: Object.fromEntries(parameters) };
}
