import { EvaluationError } from '@tollgate/cel';
import { unescapeText } from './percent-coding.ts';

/** The parts of a URL, under the names of the catalog. */
export type ParsedUrl = {
  readonly scheme: string;
  readonly opaque: string;
  readonly host: string;
  readonly path: string;
  readonly raw_path: string;
  readonly raw_query: string;
  readonly fragment: string;
  readonly user: string;
};

const NO_URL = new EvaluationError('eval/bad-url', 'the text is not a URL');

/** RFC 3986, appendix B, with what a scheme is made of. */
const PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** User information, host and port; a host in brackets is an address of IPv6. */
const AUTHORITY = /^(?:([^@]*)@)?((?:\[[0-9a-fA-F:.]+(?:%25[^\]]+)?\]|[^:[\]@\s]*)(?::\d*)?)$/;

/** The parts of a URL or of a reference to one, read as the platform does. */
export function parseUrl(text: string): ParsedUrl | EvaluationError {
  const match = hasControls(text) ? null : PARTS.exec(text);
  if (!match) return NO_URL;
  const [, scheme = '', authority = '', written = '', query = '', fragment = ''] = match;
  const [, user = '', host] = AUTHORITY.exec(authority) ?? [];
  const isOpaque = scheme !== '' && authority === '' && written !== '' && !written.startsWith('/');
  const path = isOpaque ? '' : unescapeText(written, false);
  const decodedFragment = unescapeText(fragment, false);
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

/** Whether the text is an absolute URL that names a host. */
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
