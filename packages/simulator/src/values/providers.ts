import type { Profile } from '@tollgate/catalog';
import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { EDGE_V2_PROVIDERS } from './edge-v2-providers.ts';
import { LOCATION_PROVIDERS } from './location-providers.ts';
import type { Provide } from './provide.ts';
import { NOT_RECORDED_BELOW, SNAKE_PROVIDERS } from './snake-providers.ts';

/** Returns the provider of a catalog variable; undefined for those that an extension adds. */
export function catalogProvider(path: string, profile: Profile): Provide | undefined {
  const fact = profile.variables.find(variable => variable.path === path);
  if (fact?.setBy !== undefined) return state => state.results[path];
  const provide = EDGE_V2_PROVIDERS[path] ?? SNAKE_PROVIDERS[path] ?? LOCATION_PROVIDERS[path];
  if (provide !== undefined) return provide;
  if (!NOT_RECORDED_BELOW.some(root => path.startsWith(`${root}.`) || path === root)) return undefined;
  const unknown = fact?.absent && fact.absent.value === undefined ? new UnknownPresence([path]) : new Unknown([path]);
  return () => unknown;
}

/** Returns the provider of a variable. No recording contains what an extension adds. */
export function providerOf(path: string, profile: Profile): Provide {
  const provide = catalogProvider(path, profile);
  if (provide !== undefined) return isTlsVersion(path) ? spelt(provide, profile.switches.tlsVersionSpelling) : provide;
  const unknown = new Unknown([path]);
  return () => unknown;
}

function isTlsVersion(path: string): boolean {
  return /(?:TLS\.V|\btls\.v|terminate_tls\.v)ersion$/.test(path);
}

/** Converts from `TLS 1.3`, the spelling in recordings. */
function spelt(provide: Provide, spelling: Profile['switches']['tlsVersionSpelling']): Provide {
  const prefix = spelling.slice(0, -'1.3'.length);
  if (prefix === 'TLS ') return provide;
  return state => {
    const version = provide(state);
    return typeof version === 'string' ? version.replace(/^TLS /, prefix) : version;
  };
}
