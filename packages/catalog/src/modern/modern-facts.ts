// The facts of the profile: its variables, the objects that they are in, functions and actions.

import type { ActionFact } from '../schema/action-fact.ts';
import type { FunctionFact, ObjectFact, VariableFact } from '../schema/fact.ts';
import { type Profile, withLazyMembers } from '../schema/profile.ts';
import { connectionVariables, stringVariables, tlsVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions, stringFunctions } from '../snake-case/functions.ts';
import { requestVariables, responseVariables } from '../snake-case/message-variables.ts';
import { certificateObjects, SNAKE_OBJECTS } from '../snake-case/objects.ts';
import { resultObjects, resultVariables } from '../snake-case/result-variables.ts';
import { ACTIONS } from './actions.ts';
import { AVAILABILITY, EVERYWHERE, HTTP, RESPONSE } from './availability.ts';

const SECRETS: readonly FunctionFact[] = [
  {
    ...EVERYWHERE,
    name: 'secrets.get',
    overloadId: 'secrets_get_string_string',
    params: [
      { name: 'vault', type: 'string' },
      { name: 'name', type: 'string' },
    ],
    result: 'string',
    opaque: 'secrets are stored at the edge',
    doc: 'Returns a secret from a vault.',
    examples: [],
    source: 'documented',
  },
];

/** The facts of the profile, in a file that the bundled command loads only for policies of this profile. */
export const MODERN_FACTS = {
  variables: (): readonly VariableFact[] => [
    ...connectionVariables(AVAILABILITY),
    ...ADDRESS_VARIABLES,
    ...tlsVariables(AVAILABILITY.tls),
    ...EDGE_VARIABLES,
    ...requestVariables(HTTP),
    ...responseVariables(RESPONSE),
    ...RESULTS.variables,
  ],
  objects: (): readonly ObjectFact[] => modernObjects(),
  functions: (): readonly FunctionFact[] => [
    ...messageFunctions(AVAILABILITY),
    ...stringFunctions(EVERYWHERE),

    ...SECRETS,
  ],
  actions: (): readonly ActionFact[] => ACTIONS,
};

/** Variables with the results of this profile's actions. */
const RESULTS = withLazyMembers<Pick<Profile, 'variables'>, 'variables'>(
  {},
  {
    variables: () =>
      resultVariables(
        AVAILABILITY,
        ACTIONS.map(action => action.type),
      ),
  },
);

function modernObjects(): readonly ObjectFact[] {
  return [
    ...SNAKE_OBJECTS,
    ...['client', 'server'].flatMap(end => addressObjects(`conn.${end}_ip`, end)),
    { name: 'conn.k8s', doc: 'The Kubernetes source of the connection.' },
    { name: 'conn.k8s.pod', doc: 'The pod that the connection comes from.' },
    { name: 'conn.k8s.pod.metadata', doc: 'The metadata of the pod.' },
    { name: 'endpoint', doc: 'The endpoint that the policy is attached to.' },
    { name: 'time', doc: 'The current time.' },
    { name: 'req.user_agent', doc: 'The User-Agent header: a string with fields.' },
    ...resultObjects(RESULTS.variables),
    ...certificateObjects('actions.ngrok.terminate_tls'),
  ];
}

function addressObjects(path: string, end: string): readonly ObjectFact[] {
  return [
    { name: path, doc: `The address of the ${end}: a string with fields.` },
    { name: `${path}.as`, doc: `The autonomous system of the ${end} address.` },
    { name: `${path}.geo`, doc: `The location and registered location of the ${end} address.` },
    { name: `${path}.geo.location`, doc: `The location of the ${end} address.` },
    { name: `${path}.geo.registered_location`, doc: `The location in which the ${end} address is registered.` },
  ];
}

const NOT_KNOWN = { when: 'nothing is known about the address', value: "''" } as const;

/** What is known about the addresses of both ends, which are strings with these fields. */
const ADDRESS_VARIABLES: readonly VariableFact[] = ['conn.client_ip', 'conn.server_ip'].flatMap(path => [
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

const NOT_KUBERNETES = { when: 'the endpoint is not bound to Kubernetes' } as const;

/** Variables of the edge itself, and variables of the connection and the request that only this profile has. */
const EDGE_VARIABLES: readonly VariableFact[] = [
  ...stringVariables({ ...EVERYWHERE, path: 'endpoint', source: 'documented' }, [
    ['addr', 'app.example.com:443', 'The host and port of the endpoint.'],
    ['host', 'app.example.com', 'The host of the endpoint.'],
    ['id', 'ep_1', 'The id of the endpoint.'],
    ['protocol', 'https', 'The protocol: `http`, `https`, `tcp` or `tls`.'],
    ['url', 'https://app.example.com', 'The URL of the endpoint.'],
  ]),
  {
    ...EVERYWHERE,
    path: 'endpoint.port',
    type: 'int',
    doc: 'The port of the endpoint.',
    example: { expression: 'endpoint.port == 443', value: 'true' },
    sample: 443,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'time.now',
    type: 'string',
    doc: 'The current time, as an RFC 3339 string. Convert it with `timestamp()` before calculating.',
    example: { expression: "timestamp(time.now).getHours('UTC') < 12", value: 'true' },
    sample: '2026-03-02T10:15:31Z',
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'vars',
    type: 'map(string, dyn)',
    doc: 'The variables set by `set-vars` actions of the same phase, of any type.',
    example: { expression: "'tier' in vars && vars.tier == 'gold'", value: 'true' },
    sample: { tier: 'gold' },
    source: 'documented',
  },
  ...stringVariables({ ...HTTP, path: 'conn.tls', source: 'documented' }, [
    ['ja4_fingerprint', 't13d1516h2_8daaf6152771_b0da82dd1658', 'The JA4 fingerprint of the handshake.'],
    ['negotiated_alpn', 'h2', 'The protocol negotiated with ALPN; empty if none.'],
  ]),
  {
    ...HTTP,
    path: 'conn.tls.session_resumed',
    type: 'bool',
    doc: 'Whether the TLS session was resumed; always false so far.',
    example: { expression: 'conn.tls.session_resumed', value: 'false' },
    sample: false,
    source: 'documented',
  },
  ...stringVariables({ ...EVERYWHERE, path: 'conn.k8s.pod', absent: NOT_KUBERNETES, source: 'documented' }, [
    ['id', 'pod-1', 'The id of the pod that the connection comes from.'],
    ['metadata.name', 'web-0', 'The name of the pod.'],
    ['metadata.namespace', 'default', 'The namespace of the pod.'],
    ['metadata.error_code', '', 'The error code if the metadata could not be retrieved.'],
    ['metadata.error_message', '', 'The error message if the metadata could not be retrieved.'],
  ]),
  {
    ...EVERYWHERE,
    path: 'conn.k8s.pod.metadata.annotations',
    type: 'map(string, string)',
    doc: 'The annotations of the pod that are meant for the edge.',
    example: { expression: 'size(conn.k8s.pod.metadata.annotations)', value: '0' },
    sample: {},
    absent: NOT_KUBERNETES,
    source: 'documented',
  },
  ...userAgent(),
];

function userAgent(): readonly VariableFact[] {
  const path = 'req.user_agent';
  const flags = [
    ['is_mobile', false, 'Whether the client is a phone.'],
    ['is_tablet', false, 'Whether the client is a tablet.'],
    ['is_desktop', true, 'Whether the client is a desktop computer.'],
    ['is_bot', false, 'Whether the client identifies itself as a bot.'],
  ] as const;
  return [
    {
      ...HTTP,
      path,
      type: 'string',
      role: 'user-agent',
      doc: 'The User-Agent header, with its parsed details as fields.',
      example: { expression: `${path}.contains('Chrome') && !${path}.is_bot`, value: 'true' },
      sample: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0',
      absent: { when: 'the request has no such header', value: "''" },
      source: 'documented',
    },
    ...stringVariables({ ...HTTP, path, source: 'documented' }, [
      ['name', 'Chrome', 'The name of the client.'],
      ['version', '120.0', 'The version of the client.'],
      ['os', 'Linux', 'The operating system.'],
      ['os_version', '', 'The version of the operating system.'],
      ['device', '', 'The device.'],
      ['url', '', 'The URL of a page about the client, mostly sent by bots.'],
    ]),
    ...flags.map(
      ([name, sample, doc]): VariableFact => ({
        ...HTTP,
        path: `${path}.${name}`,
        type: 'bool',
        doc,
        example: { expression: `${path}.${name}`, value: String(sample) },
        sample,
        source: 'documented',
      }),
    ),
  ];
}
