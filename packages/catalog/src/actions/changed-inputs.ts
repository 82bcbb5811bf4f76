/** What of any message hangs on its headers, in the spelling of every profile. */
const OF_HEADERS = [
  ...['Headers', 'Cookies', 'Location', 'ContentLength', 'Trailers'],
  ...['headers', 'cookies', 'location', 'content_length', 'content_encoding', 'content_type', 'trailers'],
];

/** What an action that adds or removes headers may change. */
export const CHANGED_WITH_HEADERS: readonly string[] = [
  ...OF_HEADERS.flatMap(name => [`req.${name}`, `res.${name}`]),
  ...['req.Host', 'req.URL', 'req.host', 'req.url', 'req.user_agent'],
];

/** What an action that rewrites the URL may change. */
export const CHANGED_WITH_URL: readonly string[] = [
  ...['req.URL', 'req.Path', 'req.Params', 'req.Host'],
  ...['req.url', 'req.host', 'req.headers', 'req.Headers'],
];
