import type { Exchange, HeaderField } from '@tollgate/traffic';

/** A way to write a request differently. */
export type Technique =
  | 'encoded characters'
  | 'doubled slashes'
  | 'dot segments'
  | 'path parameters'
  | 'letter case'
  | 'trailing slash'
  | 'backslash'
  | 'form of the host'
  | 'repeated headers'
  | 'repeated parameters';

/** A request that is written differently. */
export interface Disguise {
  readonly technique: Technique;
  readonly exchange: Exchange;
}

/** Returns the request in other spellings, the simplest of each technique first. */
export function disguisesOf(exchange: Exchange): readonly Disguise[] {
  const [path = '/', query] = splitTarget(exchange.target ?? '/');
  const paths = Object.entries(PATHS).flatMap(([technique, spell]) =>
    [...new Set(spell(path))]
      .filter(one => one !== path)
      .map(one => ({
        technique: technique as Technique,
        exchange: withTarget(exchange, query === undefined ? one : `${one}?${query}`),
      })),
  );
  return [...paths, ...hosts(exchange), ...headers(exchange), ...parameters(exchange)];
}

function splitTarget(target: string): readonly [path: string, query: string | undefined] {
  const at = target.indexOf('?');
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}

/** Returns the exchange with another path and query. */
export function withTarget(exchange: Exchange, target: string): Exchange {
  const [, origin = ''] = /^([a-z]+:\/\/[^/?#]*)/.exec(exchange.url ?? '') ?? [];
  return { ...exchange, target, url: `${origin}${target}` };
}

const PATHS: Partial<Record<Technique, (path: string) => readonly string[]>> = {
  'encoded characters': path => [
    ...lettersOf(path).map(at => spliced(path, at, encoded(path[at]!))),
    ...slashesOf(path).flatMap(at => (at === 0 ? [] : [spliced(path, at, '%2F')])),
    path.replace(/[A-Za-z]/g, encoded),
  ],
  'doubled slashes': path => slashesOf(path).map(at => spliced(path, at, '//')),
  'dot segments': path => [
    ...slashesOf(path).flatMap(at => ['/./', '/x/../', '/%2e/', '/x/%2e%2e/'].map(dots => spliced(path, at, dots))),
    path.endsWith('/') ? `${path}.` : `${path}/.`,
  ],
  'path parameters': path => [
    ...slashesOf(path).flatMap(at => (at === 0 ? ['/;x/', '/x/..;/'] : [';x/']).map(one => spliced(path, at, one))),
    path.endsWith('/') ? path.replace(/\/$/, ';x/') : `${path};x`,
  ],
  'letter case': path => [
    path.toUpperCase(),
    path.toLowerCase(),
    ...lettersOf(path).map(at => spliced(path, at, swapped(path[at]!))),
  ],
  'trailing slash': path => (path.endsWith('/') && path !== '/' ? [path.slice(0, -1)] : [`${path}/`]),
  backslash: path => slashesOf(path).flatMap(at => (at === 0 ? [] : ['\\', '%5C'].map(one => spliced(path, at, one)))),
};

function lettersOf(path: string): readonly number[] {
  return [...path.matchAll(/(?<!%[0-9A-Fa-f]?)[A-Za-z]/g)].map(({ index }) => index);
}

function slashesOf(path: string): readonly number[] {
  return [...path.matchAll(/\//g)].map(({ index }) => index);
}

function spliced(text: string, at: number, replacement: string): string {
  return `${text.slice(0, at)}${replacement}${text.slice(at + 1)}`;
}

function encoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function hosts(exchange: Exchange): readonly Disguise[] {
  const [own, ...fields] = exchange.requestHeaders.fields;
  if (own?.name !== 'Host' || own.value.startsWith('[')) return [];
  const [name = '', port] = own.value.split(':');
  const forms = [`${name}.`, name.toUpperCase()].map(form => (port === undefined ? form : `${form}:${port}`));
  return forms.map(host => ({
    technique: 'form of the host',
    exchange: {
      ...withFields(exchange, [{ name: 'Host', value: host }, ...fields]),
      url: exchange.url?.replace(/\/\/[^/?#]*/, () => `//${host}`),
    },
  }));
}

function withFields(exchange: Exchange, fields: readonly HeaderField[]): Exchange {
  return { ...exchange, requestHeaders: { ...exchange.requestHeaders, fields } };
}

function headers(exchange: Exchange): readonly Disguise[] {
  const { fields } = exchange.requestHeaders;
  return fields.flatMap((field, at): readonly Disguise[] => {
    if (field.name === 'Host') return [];
    const other = { name: field.name, value: OTHER_VALUE };
    return [[field, other] as const, [other, field] as const].map(pair => ({
      technique: 'repeated headers',
      exchange: withFields(exchange, fields.toSpliced(at, 1, ...pair)),
    }));
  });
}

const OTHER_VALUE = 'x';

function parameters(exchange: Exchange): readonly Disguise[] {
  const [path, query] = splitTarget(exchange.target ?? '/');
  if (query === undefined || query === '') return [];
  const all = query.split('&');
  return all.flatMap((parameter, at): readonly Disguise[] => {
    const other = `${parameter.split('=')[0]}=${OTHER_VALUE}`;
    return [[parameter, other] as const, [other, parameter] as const].map(pair => ({
      technique: 'repeated parameters',
      exchange: withTarget(exchange, `${path}?${all.toSpliced(at, 1, ...pair).join('&')}`),
    }));
  });
}
