import type { VariableFact } from '../schema/fact.ts';
import { textVariables } from '../snake-case/string-variables.ts';
import { EVERYWHERE, HTTP } from './availability.ts';

const NOT_KUBERNETES = { when: 'the endpoint is not bound to Kubernetes' } as const;

/** What the edge knows beside the connection and the request; and what only this profile knows of these. */
export const EDGE_VARIABLES: readonly VariableFact[] = [
  ...textVariables({ ...EVERYWHERE, path: 'endpoint', source: 'documented' }, [
    ['addr', 'app.example.com:443', 'Host and port of the endpoint.'],
    ['host', 'app.example.com', 'Host of the endpoint.'],
    ['id', 'ep_1', 'Id of the endpoint.'],
    ['protocol', 'https', '`http`, `https`, `tcp` or `tls`.'],
    ['url', 'https://app.example.com', 'URL of the endpoint.'],
  ]),
  {
    ...EVERYWHERE,
    path: 'endpoint.port',
    type: 'int',
    doc: 'Port of the endpoint.',
    example: { expression: 'endpoint.port == 443', value: 'true' },
    sample: 443,
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'time.now',
    type: 'string',
    doc: 'The time, as text (RFC 3339). Convert with `timestamp()` before reckoning.',
    example: { expression: "timestamp(time.now).getHours('UTC') < 12", value: 'true' },
    sample: '2026-03-02T10:15:31Z',
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'vars',
    type: 'map(string, dyn)',
    doc: 'What `set-vars` actions of the same phase have set, of any type.',
    example: { expression: "'tier' in vars && vars.tier == 'gold'", value: 'true' },
    sample: { tier: 'gold' },
    source: 'documented',
  },
  ...textVariables({ ...HTTP, path: 'conn.tls', source: 'documented' }, [
    ['ja4_fingerprint', 't13d1516h2_8daaf6152771_b0da82dd1658', 'JA4 fingerprint of the handshake.'],
    ['negotiated_alpn', 'h2', 'Protocol agreed upon in the handshake; empty when there is none.'],
  ]),
  {
    ...HTTP,
    path: 'conn.tls.session_resumed',
    type: 'bool',
    doc: 'The TLS session was resumed. False in all traffic so far.',
    example: { expression: 'conn.tls.session_resumed', value: 'false' },
    sample: false,
    source: 'documented',
  },
  ...textVariables({ ...EVERYWHERE, path: 'conn.k8s.pod', absent: NOT_KUBERNETES, source: 'documented' }, [
    ['id', 'pod-1', 'Id of the pod that the connection comes from.'],
    ['metadata.name', 'web-0', 'Name of the pod.'],
    ['metadata.namespace', 'default', 'Namespace of the pod.'],
    ['metadata.error_code', '', 'Code of the error when the metadata could not be had.'],
    ['metadata.error_message', '', 'Message of the error when the metadata could not be had.'],
  ]),
  {
    ...EVERYWHERE,
    path: 'conn.k8s.pod.metadata.annotations',
    type: 'map(string, string)',
    doc: 'Annotations of the pod, those meant for the edge only.',
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
    ['is_mobile', false, 'It is a phone.'],
    ['is_tablet', false, 'It is a tablet.'],
    ['is_desktop', true, 'It is a computer on a desk.'],
    ['is_bot', false, 'It says of itself that it is a robot.'],
  ] as const;
  return [
    {
      ...HTTP,
      path,
      type: 'string',
      role: 'user-agent',
      doc: 'The User-Agent header, with what it tells as fields.',
      example: { expression: `${path}.contains('Chrome') && !${path}.is_bot`, value: 'true' },
      sample: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0',
      absent: { when: 'the request has no such header', value: "''" },
      source: 'documented',
    },
    ...textVariables({ ...HTTP, path, source: 'documented' }, [
      ['name', 'Chrome', 'Name of the client.'],
      ['version', '120.0', 'Version of the client.'],
      ['os', 'Linux', 'Operating system.'],
      ['os_version', '', 'Version of the operating system.'],
      ['device', '', 'Device.'],
      ['url', '', 'Page about the client, of robots mostly.'],
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
