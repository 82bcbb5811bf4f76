import type { VariableFact } from '../schema/fact.ts';
import { textVariables } from '../snake-case/string-variables.ts';
import { EVERYWHERE } from './availability.ts';

const NOT_KNOWN = { when: 'nothing is known of the address', value: "''" } as const;

/** What is known of the addresses of both ends: they are texts with these fields. */
export const ADDRESS_VARIABLES: readonly VariableFact[] = ['conn.client_ip', 'conn.server_ip'].flatMap(path => [
  {
    ...EVERYWHERE,
    path: `${path}.categories`,
    type: 'list(string)',
    role: 'address-categories',
    doc: 'Who uses the address, as ids such as `com.github.hooks` and `proxy.anonymous.tor`, with the levels above: `com.github`, `proxy`.',
    example: { expression: `'proxy.anonymous' in ${path}.categories`, value: 'false' },
    sample: [],
    source: 'documented',
  },
  flag(`${path}.is_on_blocklist`, 'The address is on a list of addresses known for abuse.'),
  flag(`${path}.is_tor_node`, 'The address is one of the Tor network.'),
  {
    ...EVERYWHERE,
    path: `${path}.as.number`,
    type: 'int',
    doc: 'Number of the autonomous system that the address belongs to.',
    example: { expression: `${path}.as.number == 64500`, value: 'true' },
    sample: 64_500,
    source: 'documented',
  },
  ...textVariables({ ...EVERYWHERE, path: `${path}.as`, absent: NOT_KNOWN, source: 'documented' }, [
    ['organization', 'Example Net', 'Who runs the autonomous system.'],
  ]),
  ...textVariables({ ...EVERYWHERE, path: `${path}.geo.location`, absent: NOT_KNOWN, source: 'documented' }, [
    ['city', 'Berlin', 'City in which the address is.'],
    ['continent', 'Europe', 'Continent on which the address is.'],
    ['country', 'Germany', 'Country in which the address is.'],
    ['country_code', 'DE', 'That country, by two capital letters of ISO 3166-1.', 'country-code'],
    ['latitude', '52.5200', 'Latitude in degrees, as text.', 'number-text'],
    ['longitude', '13.4050', 'Longitude in degrees, as text.', 'number-text'],
    ['metro_code', '', 'Metropolitan area, where there is such a code.'],
    ['postal_code', '10115', 'Postal code.'],
    ['radius', '20', 'Radius in kilometres in which the address probably is, as text.', 'number-text'],
    ['subdivision', 'Land Berlin', 'State, province or region in which the address is.'],
    ['timezone', 'Europe/Berlin', 'Time zone, by its IANA name.'],
  ]),
  flag(`${path}.geo.location.is_eu`, 'The address is in the European Union.', true),
  ...textVariables(
    { ...EVERYWHERE, path: `${path}.geo.registered_location`, absent: NOT_KNOWN, source: 'documented' },
    [
      ['city', 'Berlin', 'City for which the address is registered.'],
      ['continent', 'Europe', 'Continent for which the address is registered.'],
      ['country', 'Germany', 'Country for which the address is registered.'],
      ['country_code', 'DE', 'That country, by two capital letters of ISO 3166-1.', 'country-code'],
      ['metro_code', '', 'Metropolitan area, where there is such a code.'],
      ['subdivision', 'Land Berlin', 'State, province or region for which the address is registered.'],
      ['timezone', 'Europe/Berlin', 'Time zone, by its IANA name.'],
    ],
  ),
  flag(`${path}.geo.registered_location.is_eu`, 'The address is registered in the European Union.', true),
]);

function flag(path: string, doc: string, sample = false): VariableFact {
  const example = { expression: path, value: String(sample) };
  return { ...EVERYWHERE, path, type: 'bool', doc, example, sample, source: 'documented' };
}
