import type { Availability, VariableFact } from '../schema/fact.ts';
import type { SnakePlaces } from './snake-availability.ts';
import { textVariables } from './string-variables.ts';

const NOT_LOCATED = { when: 'the address could not be located', value: "''" } as const;

/** The facts about a connection that exist from the beginning to the end of it. */
export function connectionVariables({ connection, http }: SnakePlaces): readonly VariableFact[] {
  return [
    ...addressVariables(connection),
    ...textVariables({ ...connection, path: 'conn.geo', absent: NOT_LOCATED, source: 'documented' }, [
      ['city', 'Berlin', 'City of the client address, in English.'],
      ['country', 'Germany', 'Country of the client address, in English.'],
      ['country_code', 'DE', 'Country of the client address: two capital letters of ISO 3166-1.', 'country-code'],
      ['latitude', '52.5200', 'Latitude in degrees, as text. Convert with `double()` before comparing.', 'number-text'],
      [
        'longitude',
        '13.4050',
        'Longitude in degrees, as text. Convert with `double()` before comparing.',
        'number-text',
      ],
      [
        'radius',
        '20',
        'Radius in kilometres in which the client probably is, as text. Convert with `int()` before comparing.',
        'number-text',
      ],
      ['subdivision', 'Land Berlin', 'State, province or region of the client address, in English.'],
    ]),
    {
      ...http,
      path: 'conn.bytes_in',
      type: 'int',
      doc: 'Bytes that have come from the client on the connection.',
      example: { expression: 'conn.bytes_in < 1000000', value: 'true' },
      sample: 512,
      source: 'documented',
    },
    {
      ...http,
      path: 'conn.bytes_out',
      type: 'int',
      doc: 'Bytes that have gone to the client on the connection.',
      example: { expression: 'conn.bytes_out == 0', value: 'true' },
      sample: 0,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.ts.start',
      type: 'timestamp',
      doc: 'When the connection began.',
      example: { expression: "conn.ts.start.getFullYear('UTC') == 2026", value: 'true' },
      sample: '2026-03-02T10:15:30Z',
      source: 'documented',
    },
  ];
}

function addressVariables(connection: Availability): readonly VariableFact[] {
  return [
    {
      ...connection,
      path: 'conn.client_ip',
      type: 'string',
      role: 'client-address',
      doc: 'Source address of the connection, IPv4 or IPv6, as text. Headers such as `x-forwarded-for` have no influence on it.',
      example: { expression: "conn.client_ip == '203.0.113.7'", value: 'true' },
      sample: '203.0.113.7',
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.client_port',
      type: 'int',
      doc: 'Source port of the connection.',
      example: { expression: 'conn.client_port > 1023', value: 'true' },
      sample: 51_312,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_ip',
      type: 'string',
      doc: 'Address of the edge that took the connection.',
      example: { expression: "conn.server_ip == '198.51.100.4'", value: 'true' },
      sample: '198.51.100.4',
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_port',
      type: 'int',
      doc: 'Port of the edge that took the connection.',
      example: { expression: 'conn.server_port == 443', value: 'true' },
      sample: 443,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_region',
      type: 'string',
      doc: 'Region of the edge that took the connection: `us`, `eu`, `ap`, `au`, `sa`, `jp`, `in`.',
      example: { expression: "conn.server_region in ['eu', 'us']", value: 'true' },
      sample: 'eu',
      source: 'documented',
    },
  ];
}
