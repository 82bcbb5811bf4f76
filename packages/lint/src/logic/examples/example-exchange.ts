import { type EvaluationContext, type Profile, type ValueRole, variablesAt } from '@tollgate/catalog';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import type { WitnessValue } from '../../solver/search/witness.ts';

/** The profile, endpoint and phase of the conditions. */
interface PhaseContext {
  readonly profile: Profile;
  readonly place: EvaluationContext;
}

/** The parts of a request that can be chosen; all others follow from them. */
interface RequestParts {
  method: string;
  host: string;
  path: string;
  clientIp: string;
  readonly query: (readonly [name: string, value: string])[];
  readonly fields: HeaderField[];
}

/** Returns an exchange in which inputs have these values; undefined if that is impossible or an input is not a part of the request. */
export function exchangeWith(values: readonly WitnessValue[], { profile, place }: PhaseContext): Exchange | undefined {
  const variables = variablesAt(profile, place);
  const parts: RequestParts = {
    method: 'GET',
    host: 'example.com',
    path: '/',
    clientIp: '192.0.2.1',
    query: [],
    fields: [],
  };
  for (const { access, value } of values) {
    const path = [2, 1, 3].map(length => access.steps.slice(0, length).join('.'));
    const variable = variables.find(one => path.includes(one.path));
    const rest = variable && access.steps.slice(variable.path.split('.').length);
    if (!variable || !rest || !set(parts, variable.role, { rest, value, isKey: access.isKey })) return undefined;
  }
  return exchangeOf(parts);
}

/** Returns ordinary values of an input. */
export function usualValues({ steps }: WitnessValue['access'], { profile, place }: PhaseContext): readonly string[] {
  const role = variablesAt(profile, place).find(({ path }) => path === steps.join('.'))?.role;
  return (role && USUAL[role]) ?? [];
}

const USUAL: Partial<Record<ValueRole, readonly string[]>> = {
  method: ['GET', 'POST', 'PUT'],
  host: ['example.com'],
  path: ['/', '/a'],
  'client-address': ['192.0.2.1', '2001:db8::1'],
};

interface PartChange extends Pick<WitnessValue, 'value'> {
  /** The steps from the variable to the value. */
  readonly rest: readonly (string | number)[];
  readonly isKey: boolean;
}

/** Sets a part of the request; returns false if it cannot have the value. */
function set(parts: RequestParts, role: ValueRole | undefined, { rest, value, isKey }: PartChange): boolean {
  const [name, position = 0] = rest;
  if (role === 'request-headers' || role === 'query-parameters') {
    if (typeof name !== 'string' || (isKey && value === undefined)) return typeof name === 'string';
    if (position !== 0 || (typeof value !== 'string' && !isKey)) return false;
    return role === 'request-headers' ? setHeader(parts, name, value) : setParameter(parts, name, value);
  }
  if (rest.length > 0 || typeof value !== 'string') return false;
  switch (role) {
    case 'method':
      parts.method = value;
      return /^[!#$%&'*+.^_`|~\w-]+$/.test(value);
    case 'host':
      parts.host = value;
      return /^[\w.-]+$/.test(value);
    case 'path':
      parts.path = value;
      return /^\/[\w.~!$&'()*+,;=:@/-]*$/.test(value);
    case 'client-address':
      parts.clientIp = value;
      return true;
    default:
      return false;
  }
}

function setHeader({ fields }: RequestParts, name: string, value: WitnessValue['value']): boolean {
  const at = fields.findIndex(one => one.name === name);
  const field = { name, value: typeof value === 'string' ? value : '' };
  if (at < 0) fields.push(field);
  else fields[at] = field;
  return /^[\w-]+$/.test(name) && name.toLowerCase() !== 'host' && /^[\x20-\x7e]*$/.test(field.value);
}

function setParameter({ query }: RequestParts, name: string, value: WitnessValue['value']): boolean {
  const at = query.findIndex(([known]) => known === name);
  const parameter = [name, typeof value === 'string' ? value : ''] as const;
  if (at < 0) query.push(parameter);
  else query[at] = parameter;
  return true;
}

function exchangeOf({ method, host, path, clientIp, query, fields }: RequestParts): Exchange {
  const facts = { absent: [], complete: true, withheld: [] };
  const target = query.length === 0 ? path : `${path}?${new URLSearchParams(Object.fromEntries(query))}`;
  return {
    place: { file: 'example', number: 1, unit: 'entry' },
    time: 0,
    tls: { version: 'TLS 1.3', cipherSuite: undefined, serverName: host },
    protocol: 'HTTP/1.1',
    ...{ method, target, clientIp, url: `https://${host}${target}` },
    requestHeaders: { ...facts, fields: [{ name: 'Host', value: host }, ...fields] },
    response: { status: 200, bodySize: 0, headers: { ...facts, fields: [] } },
  };
}
