/** The parts of `GET /path HTTP/1.1`. */
export interface RequestLine {
  readonly method: string;
  /** Includes raw spaces of sloppy clients. */
  readonly target: string;
  readonly protocol: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Splits a request line; returns undefined for anything else, such as `-` or the raw bytes that servers log for something other than a request. */
export function splitRequestLine(text: string): RequestLine | undefined {
  const methodEnd = text.indexOf(' ');
  if (methodEnd < 0 || !TOKEN.test(text.slice(0, methodEnd))) return undefined;
  const targetEnd = text.lastIndexOf(' HTTP/');
  // A request line without protocol is HTTP/0.9 (RFC 1945, section 4.1).
  if (targetEnd < methodEnd) return withTarget(text, methodEnd, text.length, 'HTTP/0.9');
  const version = text.slice(targetEnd + 6);
  if (targetEnd === methodEnd || !/^\d(\.\d)?$/.test(version)) return undefined;
  return withTarget(text, methodEnd, targetEnd, `HTTP/${version.length === 1 ? `${version}.0` : version}`);
}

function withTarget(text: string, start: number, end: number, protocol: string): RequestLine | undefined {
  const target = text.slice(start + 1, end);
  return target === '' ? undefined : { method: text.slice(0, start), target, protocol };
}
