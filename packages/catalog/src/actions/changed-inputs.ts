/** Fields of a message that are derived from its headers, as any profile spells them. */
const OF_HEADERS = [
  ...['Headers', 'Cookies', 'Location', 'ContentLength', 'Trailers'],
  ...['headers', 'cookies', 'location', 'content_length', 'content_encoding', 'content_type', 'trailers'],
];

/** Inputs that may change when an action adds or removes headers. */
export const CHANGED_WITH_HEADERS: readonly string[] = [
  ...OF_HEADERS.flatMap(name => [`req.${name}`, `res.${name}`]),
  ...['req.Host', 'req.URL', 'req.host', 'req.url', 'req.user_agent'],
];

/** Inputs that may change when an action rewrites the URL. */
export const CHANGED_WITH_URL: readonly string[] = [
  ...['req.URL', 'req.Path', 'req.Params', 'req.Host'],
  ...['req.url', 'req.host', 'req.headers', 'req.Headers'],
];
