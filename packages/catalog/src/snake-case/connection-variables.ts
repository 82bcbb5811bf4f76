import type { Availability, VariableFact } from '../schema/fact.ts';
import type { SnakeAvailability } from './snake-availability.ts';
import { stringVariables } from './string-variables.ts';

const NOT_LOCATED = { when: 'the address cannot be located', value: "''" } as const;

/** Returns the variables that exist throughout a connection. */
export function connectionVariables({ connection, http }: SnakeAvailability): readonly VariableFact[] {
  return [
    ...addressVariables(connection),
    ...stringVariables({ ...connection, path: 'conn.geo', absent: NOT_LOCATED, source: 'documented' }, [
      ['city', 'Berlin', 'The city of the client address, in English.'],
      ['country', 'Germany', 'The country of the client address, in English.'],
      ['country_code', 'DE', 'The country of the client address, as an ISO 3166-1 alpha-2 code.', 'country-code'],
      [
        'latitude',
        '52.5200',
        'The latitude in degrees, as a string. Convert it with `double()` before comparing.',
        'numeric-string',
      ],
      [
        'longitude',
        '13.4050',
        'The longitude in degrees, as a string. Convert it with `double()` before comparing.',
        'numeric-string',
      ],
      [
        'radius',
        '20',
        'The radius in kilometres that probably contains the client, as a string. Convert it with `int()` before comparing.',
        'numeric-string',
      ],
      ['subdivision', 'Land Berlin', 'The state, province or region of the client address, in English.'],
    ]),
    {
      ...http,
      path: 'conn.bytes_in',
      type: 'int',
      doc: 'The number of bytes received from the client on the connection.',
      example: { expression: 'conn.bytes_in < 1000000', value: 'true' },
      sample: 512,
      source: 'documented',
    },
    {
      ...http,
      path: 'conn.bytes_out',
      type: 'int',
      doc: 'The number of bytes sent to the client on the connection.',
      example: { expression: 'conn.bytes_out == 0', value: 'true' },
      sample: 0,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.ts.start',
      type: 'timestamp',
      doc: 'The time at which the connection started.',
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
      doc: 'The source address of the connection, IPv4 or IPv6. Headers such as `x-forwarded-for` do not affect it.',
      example: { expression: "conn.client_ip == '203.0.113.7'", value: 'true' },
      sample: '203.0.113.7',
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.client_port',
      type: 'int',
      doc: 'The source port of the connection.',
      example: { expression: 'conn.client_port > 1023', value: 'true' },
      sample: 51_312,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_ip',
      type: 'string',
      role: 'server-address',
      doc: 'The address of the edge that accepted the connection.',
      example: { expression: "conn.server_ip == '198.51.100.4'", value: 'true' },
      sample: '198.51.100.4',
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_port',
      type: 'int',
      doc: 'The port of the edge that accepted the connection.',
      example: { expression: 'conn.server_port == 443', value: 'true' },
      sample: 443,
      source: 'documented',
    },
    {
      ...connection,
      path: 'conn.server_region',
      type: 'string',
      doc: 'The region of the edge that accepted the connection: `us`, `eu`, `ap`, `au`, `sa`, `jp`, `in`.',
      example: { expression: "conn.server_region in ['eu', 'us']", value: 'true' },
      sample: 'eu',
      source: 'documented',
    },
  ];
}
