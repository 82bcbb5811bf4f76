import { EvaluationError, Unknown } from '@tollgate/cel';
import type { TrafficState } from '../decide/traffic-state.ts';
import type { ActionContext } from './effect.ts';

/** The paths that templates in header values may name, as far as expressions have the same; the rest is known to the edge only. */
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
  'tls.cipher_suite': 'req.ClientTLS.CipherSuite',
  'tls.version': 'req.ClientTLS.Version',
  'tls.client_cert.subject.cn': 'req.ClientTLS.CertCN',
};

type Part = (state: TrafficState) => string | Unknown;

/** Makes a header's value with `${.path}` templates ready to be filled in. A part that is not known makes the whole unknown. */
export function prepareTemplate(text: string, context: ActionContext): Part {
  const parts = text.split(/(\$\{\.[^}]*\})/).map(part => preparePart(part, context));
  return state => {
    const values = parts.map(part => part(state));
    const unknown = values.find(value => value instanceof Unknown);
    return unknown ?? values.join('');
  };
}

function preparePart(text: string, context: ActionContext): Part {
  const path = /^\$\{\.([^}]*)\}$/.exec(text)?.[1];
  if (path === undefined) return () => text;
  const expression = Object.hasOwn(EXPRESSIONS, path) ? EXPRESSIONS[path] : undefined;
  if (expression === undefined) {
    const unknown = new Unknown([text]);
    return () => unknown;
  }
  const evaluate = context.compile(expression);
  return state => {
    const value = evaluate(state);
    if (value instanceof Unknown) return value;
    return value instanceof EvaluationError ? '' : String(value);
  };
}
