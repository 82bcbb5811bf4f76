import type { VariableFact } from '../schema/fact.ts';
import { stringVariables } from '../snake-case/string-variables.ts';
import { EVERYWHERE } from './availability.ts';

const NOT_KNOWN = { when: 'nothing is known about the address', value: "''" } as const;

/** What is known about the addresses of both ends, which are strings with these fields. */
export const ADDRESS_VARIABLES: readonly VariableFact[] = ['conn.client_ip', 'conn.server_ip'].flatMap(path => [
  {
    ...EVERYWHERE,
    path: `${path}.categories`,
    type: 'list(string)',
    role: 'address-categories',
    doc: 'The categories of the address, such as `com.github.hooks` or `proxy.anonymous.tor`, including parent categories such as `com.github` or `proxy`.',
    example: { expression: `'proxy.anonymous' in ${path}.categories`, value: 'false' },
    sample: [],
    source: 'documented',
  },
  flag(`${path}.is_on_blocklist`, 'Whether the address is on a blocklist.'),
  flag(`${path}.is_tor_node`, 'Whether the address is a Tor node.'),
  {
    ...EVERYWHERE,
    path: `${path}.as.number`,
    type: 'int',
    doc: 'The number of the autonomous system that the address belongs to.',
    example: { expression: `${path}.as.number == 64500`, value: 'true' },
    sample: 64_500,
    source: 'documented',
  },
  ...stringVariables({ ...EVERYWHERE, path: `${path}.as`, absent: NOT_KNOWN, source: 'documented' }, [
    ['organization', 'Example Net', 'The organization that operates the autonomous system.'],
  ]),
  ...stringVariables({ ...EVERYWHERE, path: `${path}.geo.location`, absent: NOT_KNOWN, source: 'documented' }, [
    ['city', 'Berlin', 'The city of the address.'],
    ['continent', 'Europe', 'The continent of the address.'],
    ['country', 'Germany', 'The country of the address.'],
    ['country_code', 'DE', 'The country as an ISO 3166-1 alpha-2 code.', 'country-code'],
    ['latitude', '52.5200', 'The latitude in degrees, as a string.', 'numeric-string'],
    ['longitude', '13.4050', 'The longitude in degrees, as a string.', 'numeric-string'],
    ['metro_code', '', 'The code of the metropolitan area, if there is one.'],
    ['postal_code', '10115', 'The postal code.'],
    ['radius', '20', 'The radius in kilometres that probably contains the address, as a string.', 'numeric-string'],
    ['subdivision', 'Land Berlin', 'The state, province or region of the address.'],
    ['timezone', 'Europe/Berlin', 'The time zone, by its IANA name.'],
  ]),
  flag(`${path}.geo.location.is_eu`, 'Whether the address is in the European Union.', true),
  ...stringVariables(
    { ...EVERYWHERE, path: `${path}.geo.registered_location`, absent: NOT_KNOWN, source: 'documented' },
    [
      ['city', 'Berlin', 'The city in which the address is registered.'],
      ['continent', 'Europe', 'The continent on which the address is registered.'],
      ['country', 'Germany', 'The country in which the address is registered.'],
      ['country_code', 'DE', 'The country as an ISO 3166-1 alpha-2 code.', 'country-code'],
      ['metro_code', '', 'The code of the metropolitan area, if there is one.'],
      ['subdivision', 'Land Berlin', 'The state, province or region in which the address is registered.'],
      ['timezone', 'Europe/Berlin', 'The time zone, by its IANA name.'],
    ],
  ),
  flag(`${path}.geo.registered_location.is_eu`, 'Whether the address is registered in the European Union.', true),
]);

function flag(path: string, doc: string, sample = false): VariableFact {
  const example = { expression: path, value: String(sample) };
  return { ...EVERYWHERE, path, type: 'bool', doc, example, sample, source: 'documented' };
}
