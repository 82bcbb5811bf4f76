/** The value of a `Content-Type` header in its parts. */
export interface MediaType {
  /** In small letters: `text/html`. */
  readonly type: string;
  /** Names in small letters. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters: RFC 9110, section 5.6.6. */
const PARAMETER = /;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:\\.|[^"\\])*)"))?/g;

/** Splits the value of a `Content-Type` header. What is no parameter is left out. */
export function readMediaType(text: string): MediaType {
  const end = text.indexOf(';');
  const type = (end < 0 ? text : text.slice(0, end)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  for (const [, name, token, quoted] of end < 0 ? [] : text.slice(end).matchAll(PARAMETER)) {
    if (name !== undefined) parameters.set(name.toLowerCase(), token ?? quoted!.replaceAll(/\\(.)/g, '$1'));
  }
  return { type, parameters: Object.fromEntries(parameters) };
}
