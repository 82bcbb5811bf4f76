import { CAPITALISED, type Dialect, SNAKE_CASE } from '../message/dialect.ts';
import { valuesIn } from '../state/recorded-state.ts';
import type { Provide } from './provide.ts';

const MAPS: ReadonlyMap<string, (key: string) => Provide> = new Map(
  [CAPITALISED, SNAKE_CASE].flatMap(dialect => [
    [dialect.names.requestHeaders, requestHeader(dialect)] as const,
    [dialect.names.responseHeaders, responseHeader(dialect)] as const,
  ]),
);

function requestHeader(dialect: Dialect): (key: string) => Provide {
  return key => {
    const name = dialect.requestHeader(key);
    return state => valuesIn(state.request, name);
  };
}

function responseHeader(dialect: Dialect): (key: string) => Provide {
  return key => {
    const name = dialect.responseHeader(key);
    return state => valuesIn(state.response, name);
  };
}

/** Returns whether the variable is a map of headers. */
export function isHeaderMap(path: string): boolean {
  return MAPS.has(path);
}

/** Provides single headers instead of the whole map; absent ones are undefined. */
export function headerMapProvider(path: string, keys: readonly string[]): Readonly<Record<string, Provide>> {
  const provide = MAPS.get(path)!;
  return Object.fromEntries(keys.map(key => [key, provide(key)]));
}
