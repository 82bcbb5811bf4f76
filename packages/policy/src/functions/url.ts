import { EvaluationError } from '@tollgate/cel';
import { unescapeString } from './percent-coding.ts';

/** The parts of a URL, with their names in the catalog. */
type ParsedUrl = {
  readonly scheme: string;
  readonly opaque: string;
  readonly host: string;
  readonly path: string;
  readonly raw_path: string;
  readonly raw_query: string;
  readonly fragment: string;
  readonly user: string;
};

const NO_URL = new EvaluationError('eval/bad-url', 'the string is not a valid URL');

/** RFC 3986, appendix B, with the characters of a scheme. */
const PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** User information, host and port; a host in brackets is an IPv6 address. */
const AUTHORITY = /^(?:([^@]*)@)?((?:\[[0-9a-fA-F:.]+(?:%25[^\]]+)?\]|[^:[\]@\s]*)(?::\d*)?)$/;

/** Parses a URL or a URL reference as the edge does. */
export function parseUrl(text: string): ParsedUrl | EvaluationError {
  const match = hasControls(text) ? null : PARTS.exec(text);
  if (!match) return NO_URL;
  const [, scheme = '', authority = '', written = '', query = '', fragment = ''] = match;
  const [, user = '', host] = AUTHORITY.exec(authority) ?? [];
  const isOpaque = scheme !== '' && authority === '' && written !== '' && !written.startsWith('/');
  const path = isOpaque ? '' : unescapeString(written, false);
  const decodedFragment = unescapeString(fragment, false);
  const startsLikeScheme = scheme === '' && authority === '' && /^[^/]*:/.test(written);
  if (host === undefined || path === undefined || decodedFragment === undefined || startsLikeScheme) return NO_URL;
  return {
    scheme: scheme.toLowerCase(),
    opaque: isOpaque ? written : '',
    host,
    path,
    raw_path: isOpaque || encodeURI(path) === written ? '' : written,
    raw_query: query,
    fragment: decodedFragment,
    user,
  };
}

/** Returns true if the string is an absolute URL with a host. */
export function isUrl(text: string): boolean {
  const parsed = parseUrl(text);
  return !(parsed instanceof EvaluationError) && parsed.scheme !== '' && parsed.host !== '';
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}
