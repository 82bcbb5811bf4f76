import { queryParams } from '@tollgate/traffic';
import type { TrafficState } from '../state/traffic-state.ts';
import { decodedPathIn, portOf, splitUrl, targetOf, type UrlParts } from '../url/split-url.ts';
import { mapKnown, type Provide, type Providers } from './provide.ts';

/** Logs may contain path and query without the rest of the URL. */
function ofTarget(pick: (parts: UrlParts) => unknown): Provide {
  return ({ request }: TrafficState) => mapKnown(request.target, target => pick(splitUrl(target)));
}

/** `req.url`: a string, and an object. */
export const URL_PROVIDERS: Providers = {
  'req.url': state => state.request.url,
  'req.url.raw': state => state.request.url,
  'req.url.scheme': ({ request }) => request.origin.scheme,
  'req.url.host': ({ request }) => request.origin.hostName,
  'req.url.port': ({ request }) => mapKnown(request.origin.authority, portOf),
  'req.url.authority': ({ request: { origin } }) =>
    mapKnown(origin.authority, authority => mapKnown(origin.user, user => (user === '' ? '' : `${user}@`) + authority)),
  'req.url.user_password': ({ request }) => request.origin.user,
  'req.url.path': ({ request }) => mapKnown(request.target, decodedPathIn),
  'req.url.raw_path': ofTarget(parts => parts.path),
  'req.url.query': ofTarget(parts => parts.query ?? ''),
  'req.url.uri': ofTarget(targetOf),
  'req.url.query_params': ofTarget(parts => queryParams(parts.query ?? '')),
};
