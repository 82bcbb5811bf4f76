import { queryParams } from '@tollgate/traffic';
import type { TrafficState } from '../state/traffic-state.ts';
import { authorityOf, decodedPathIn, splitUrl, targetOf, type UrlParts } from '../url/split-url.ts';
import { mapKnown, type Provide, type Providers } from './provide.ts';

function ofUrl(pick: (parts: UrlParts) => unknown): Provide {
  return ({ request }: TrafficState) => mapKnown(request.url, url => pick(splitUrl(url)));
}

/** Logs may contain path and query without the rest of the URL. */
function ofTarget(pick: (parts: UrlParts) => unknown): Provide {
  return ({ request }: TrafficState) => mapKnown(request.target, target => pick(splitUrl(target)));
}

/** `req.url`: a string, and an object. */
export const URL_PROVIDERS: Providers = {
  'req.url': state => state.request.url,
  'req.url.raw': state => state.request.url,
  'req.url.scheme': ofUrl(parts => parts.scheme),
  'req.url.host': ofUrl(parts => parts.host),
  'req.url.port': ofUrl(parts => (parts.port === '' ? undefined : Number(parts.port))),
  'req.url.authority': ofUrl(parts => (parts.user === '' ? '' : `${parts.user}@`) + authorityOf(parts)),
  'req.url.user_password': ofUrl(parts => parts.user),
  'req.url.path': ({ request }) => mapKnown(request.target, decodedPathIn),
  'req.url.raw_path': ofTarget(parts => parts.path),
  'req.url.query': ofTarget(parts => parts.query ?? ''),
  'req.url.uri': ofTarget(targetOf),
  'req.url.query_params': ofTarget(parts => queryParams(parts.query ?? '')),
};
