import { EvaluationError, Unknown } from '@tollgate/cel';
import type { ActionContext } from './effect.ts';
import { type FillText, joinParts } from './filling.ts';

/** Template paths in header values that have an equivalent expression; only the edge knows the others. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  'conn.client_ip': 'conn.ClientIP',
  'ngrok.client_ip': 'conn.ClientIP',
  'ngrok.geo.country_code': 'conn.Geo.CountryCode',
  'ngrok.geo.lat_long_radius_km': 'conn.Geo.LatLongRadiusKm',
  'ngrok.geo.latitude': 'conn.Geo.Latitude',
  'ngrok.geo.longitude': 'conn.Geo.Longitude',
  'http.request.method': 'req.Method',
  'http.request.url.path': 'req.Path',
  'http.request.url.raw': 'req.URL',
  'http.request.user_agent': 'hasReqHeader("User-Agent") ? getReqHeader("User-Agent")[0] : ""',
  'http.request.version': 'req.Protocol',
  'http.response.status_code': 'res.StatusCode',
  'tls.cipher_suite': 'req.ClientTLS.CipherSuite',
  'tls.version': 'req.ClientTLS.Version',
  'tls.client_cert.subject.cn': 'req.ClientTLS.CertCN',
};

/** Prepares a header value with `${.path}` templates for interpolation. */
export function prepareTemplate(text: string, context: ActionContext): FillText {
  const parts = text.split(/(\$\{\.[^}]*\})/).map(part => preparePart(part, context));
  return filling => joinParts(parts, part => part(filling));
}

function preparePart(text: string, context: ActionContext): FillText {
  const path = /^\$\{\.([^}]*)\}$/.exec(text)?.[1];
  if (path === undefined) return () => text;
  const expression = Object.hasOwn(EXPRESSIONS, path) ? EXPRESSIONS[path] : undefined;
  if (expression === undefined || (expression.startsWith('res.') && context.side !== 'response')) {
    const unknown = new Unknown([text]);
    return () => unknown;
  }
  const { evaluate } = context.compile(expression);
  return ({ state, notes }) => {
    const value = evaluate(state);
    if (value instanceof Unknown) return value;
    if (!(value instanceof EvaluationError)) return String(value);
    notes.push({ kind: 'failed', error: value });
    return '';
  };
}
