/** What profiles name differently: headers, inputs; and the names of inputs that were not recorded. */
import type { Profile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { canonicalHeaderName } from '@tollgate/policy';

/** How a profile names headers and inputs. */
export interface Dialect {
  /** Converts a header name to the form used in header maps. */
  readonly headerKey: (name: string) => string;
  readonly names: InputNames;
  /** Unknown values for inputs, each under its own name. */
  readonly unknown: Readonly<Record<keyof InputNames, Unknown>>;
  /** Headers that a rule may name. */
  readonly requestHeader: (key: string) => HeaderName;
  readonly responseHeader: (key: string) => HeaderName;
  /** Request headers that variables are derived from. */
  readonly host: HeaderName;
  readonly requestLength: HeaderName;
  readonly requestEncoding: HeaderName;
  /** The response header that states the length. */
  readonly responseLength: HeaderName;
}

/** The names of inputs in reports of what is unknown. */
interface InputNames {
  readonly clientIp: string;
  readonly method: string;
  readonly url: string;
  readonly target: string;
  readonly host: string;
  readonly protocol: string;
  readonly requestHeaders: string;
  readonly requestLength: string;
  readonly responseHeaders: string;
  readonly status: string;
}

/** Capitalized names, with headers in Go's canonical form. */
export const CAPITALISED = dialectWith(canonicalHeaderName, {
  clientIp: 'conn.ClientIP',
  method: 'req.Method',
  url: 'req.URL',
  target: 'req.Path',
  host: 'req.Host',
  protocol: 'req.Protocol',
  requestHeaders: 'req.Headers',
  requestLength: 'req.ContentLength',
  responseHeaders: 'res.Headers',
  status: 'res.StatusCode',
});

/** Names in snake case, with headers in lower case. */
export const SNAKE_CASE = dialectWith(name => name.toLowerCase(), {
  clientIp: 'conn.client_ip',
  method: 'req.method',
  url: 'req.url',
  target: 'req.url.path',
  host: 'req.host',
  protocol: 'req.version',
  requestHeaders: 'req.headers',
  requestLength: 'req.content_length',
  responseHeaders: 'res.headers',
  status: 'res.status_code',
});

function dialectWith(headerKey: Dialect['headerKey'], names: InputNames): Dialect {
  const unknown = (key: keyof InputNames) => new Unknown([names[key]]);
  const requestHeader = (key: string) => headerName(key, names.requestHeaders, headerKey);
  const responseHeader = (key: string) => headerName(key, names.responseHeaders, headerKey);
  return {
    headerKey,
    names,
    unknown: {
      clientIp: unknown('clientIp'),
      method: unknown('method'),
      url: unknown('url'),
      target: unknown('target'),
      host: unknown('host'),
      protocol: unknown('protocol'),
      requestHeaders: unknown('requestHeaders'),
      requestLength: unknown('requestLength'),
      responseHeaders: unknown('responseHeaders'),
      status: unknown('status'),
    },
    requestHeader,
    responseHeader,
    host: requestHeader(headerKey('host')),
    requestLength: requestHeader(headerKey('content-length')),
    requestEncoding: requestHeader(headerKey('transfer-encoding')),
    responseLength: responseHeader(headerKey('content-length')),
  };
}

/** Returns the naming of a profile. */
export function dialectOf({ headerNames }: Pick<Profile, 'headerNames'>): Dialect {
  return headerNames === 'canonical' ? CAPITALISED : SNAKE_CASE;
}

/** A header that is read often, in all forms needed to find it. */
export interface HeaderName {
  /** In the profile's canonical form, if it has one. */
  readonly key: string;
  readonly lowerCase: string;
  /** Whether a recorded name can equal this one: a policy may use a form that no recorded name takes. */
  readonly isPossible: boolean;
  /** Its value if it was not recorded. */
  readonly unknown: UnknownPresence;
}

/**
 * Returns a header name with its unknown value.
 * @param whole the name of the map in rules, such as `req.Headers`
 */
function headerName(key: string, whole: string, headerKey: (name: string) => string): HeaderName {
  return { key, lowerCase: key.toLowerCase(), isPossible: headerKey(key) === key, unknown: unrecorded(whole, key) };
}

/**
 * Returns the value of a header that was not recorded.
 * @param whole the name of the map in rules, such as `req.Headers`
 */
export function unrecorded(whole: string, key: string): UnknownPresence {
  return new UnknownPresence([nameOf(whole, key)]);
}

/** The value of a header of which the recording shows only a part. */
interface PartlyKnown {
  readonly written: string;
  /** All that the header may have been; undefined if it was not sent. */
  readonly meanings: readonly (readonly string[] | undefined)[];
}

/** The value of a header of which the recording does not show whether it was sent with this value, without a value, or not at all. */
class UnclearHeader extends UnknownPresence implements PartlyKnown {
  readonly written: string;
  readonly meanings: PartlyKnown['meanings'];

  constructor(attribute: string, written: string) {
    super([attribute]);
    this.written = written;
    // Load balancers and some web servers write a dash for an empty value, too.
    this.meanings = written === '' ? [undefined, ['']] : [undefined, [written], ['']];
  }
}

/** The value of a header that was sent once with this value, or several times with parts of it: servers join fields of one name with commas. */
class JoinedHeader extends Unknown implements PartlyKnown {
  readonly written: string;
  readonly meanings: PartlyKnown['meanings'];

  constructor(attribute: string, written: string) {
    super([attribute]);
    this.written = written;
    const parts = written.split(',');
    this.meanings = parts.length > MAX_PARTS ? [] : waysToJoin(parts);
  }
}

/** Each comma doubles the meanings. */
const MAX_PARTS = 5;

/** Returns all lists of fields that make these parts when they are joined. */
function waysToJoin([first = '', ...others]: readonly string[]): readonly (readonly string[])[] {
  let ways: readonly (readonly string[])[] = [[first]];
  for (const part of others)
    ways = ways.flatMap(way => [
      [...way.slice(0, -1), `${way.at(-1)},${part}`],
      [...way, part],
    ]);
  return ways.map(way => way.map(field => field.trim()));
}

/** Returns the value of a header that was recorded as a string that may mean several things. */
export function unclear(whole: string, key: string, written: string): Unknown & PartlyKnown {
  const name = nameOf(whole, key);
  // Such strings are many, so that they are not part of the name.
  if (written.includes(',')) return new JoinedHeader(`${name}${RECORDED_AS}${JOINED}`, written);
  return new UnclearHeader(`${name}${RECORDED_AS}${JSON.stringify(written)}`, written);
}

/** Returns the value of a header of which the recording shows only a part; undefined for any other value. */
export function partlyKnown(values: unknown): PartlyKnown | undefined {
  return values instanceof UnclearHeader || values instanceof JoinedHeader ? values : undefined;
}

const JOINED = 'a comma-separated string';

/** What follows the header in the name of such an input. */
const RECORDED_AS = ' recorded as ';

/** Returns true for the name of a header of which the recording shows only a part. */
export function isUnclearInput(attribute: string): boolean {
  return attribute.includes(RECORDED_AS);
}

/** Returns the key of the header in a map that an unknown value with this name depends on; undefined if it depends on something else. */
export function unclearKey(attribute: string, whole: string): string | undefined {
  if (!attribute.startsWith(`${whole}[`)) return undefined;
  const key = UNCLEAR.exec(attribute.slice(whole.length))?.[1];
  return key === undefined ? undefined : (JSON.parse(key) as string);
}

const UNCLEAR = new RegExp(String.raw`^\[("(?:[^"\\]|\\.)*")\]${RECORDED_AS}`, 's');

function nameOf(whole: string, key: string): string {
  return `${whole}[${JSON.stringify(key)}]`;
}
