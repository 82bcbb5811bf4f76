import { APACHE_ARGUMENTS, APACHE_DIRECTIVES } from '../log-format/apache-format.ts';
import { ENVOY_OPERATORS } from '../log-format/envoy-format.ts';
import type { VariableFact } from '../log-format/log-variable.ts';
import { NGINX_VARIABLES } from '../log-format/nginx-format.ts';
import { NAMED_FORMATS } from '../log-format/parse-log-format.ts';
import { CLOUDFLARE_NAMES } from '../servers/cloudflare/cloudflare-format.ts';
import { ENVOY_NAMES } from '../servers/envoy/envoy-format.ts';
import { NGINX_NAMES } from '../servers/nginx/nginx-names.ts';
import { FORMATS } from './registry.ts';

/** What the readers know about formats, for generated pages. */
export interface TrafficReference {
  readonly formats: readonly { readonly name: string; readonly title: string }[];
  /** Log formats by name. */
  readonly named: Readonly<Record<string, string>>;
  /** Variables of log formats as written, by server, each with its meaning. */
  readonly variables: Readonly<Record<string, readonly (readonly [written: string, tells: string])[]>>;
  /** The names of fields in the JSON lines of each format. */
  readonly dialects: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Derived from the tables of the readers. */
export const TRAFFIC_REFERENCE: TrafficReference = {
  formats: FORMATS.map(({ name, title }) => ({ name, title })),
  named: NAMED_FORMATS,
  variables: {
    nginx: written(NGINX_VARIABLES, name => `$${name}`),
    Apache: [
      ...written(APACHE_DIRECTIVES, letter => apacheDirective(letter)),
      ...written(APACHE_ARGUMENTS, name => `%${name}`),
    ],
    Envoy: written(ENVOY_OPERATORS, name => `%${name}%`),
  },
  dialects: { nginx: NGINX_NAMES.paths, envoy: ENVOY_NAMES.paths, cloudflare: CLOUDFLARE_NAMES.paths },
};

function written(
  facts: Readonly<Record<string, VariableFact>>,
  write: (name: string) => string,
): readonly (readonly [string, string])[] {
  return Object.entries(facts).map(([name, [, slot]]) => [write(name), slot]);
}

/** Clients see the status after internal redirects. */
function apacheDirective(letter: string): string {
  return letter === 's' ? '%>s' : `%${letter}`;
}
