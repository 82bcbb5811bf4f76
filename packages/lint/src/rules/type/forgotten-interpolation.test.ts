import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { FORGOTTEN_INTERPOLATION } from './forgotten-interpolation.ts';

const modern = (config: string, type = 'log') => ({
  policy: `on_http_request: [{actions: [{type: ${type}, config: ${config}}]}]`,
  profile: 'modern' as const,
});

testRule(it, FORGOTTEN_INTERPOLATION, {
  fires: {
    'for indices in a quoted string': {
      ...modern(`{metadata: {a: "«req.headers['x-a'][0]»"}}`),
      message: "`req.headers['x-a'][0]` is sent literally; write `${req.headers['x-a'][0]}`",
      suggested: modern(`{metadata: {a: "\${req.headers['x-a'][0]}"}}`).policy,
    },
    'with the prefix of other languages': {
      ...modern('{metadata: {a: «$conn.client_ip»}}'),
      message: '`$conn.client_ip` is sent literally; write `${conn.client_ip}`',
      suggested: modern("{metadata: {a: '${conn.client_ip}'}}").policy,
    },
    'deep inside a configuration': modern('{headers: {x-host: «req.host»}}', 'add-headers'),
  },
  silent: {
    'for an interpolation': modern('{metadata: {a: "${req.host}"}}'),
    'for strings that only start like a variable': modern('{metadata: {a: req.host is a name, b: req.hosts}}'),
    'for keys that are not interpolated': modern(
      '{name: req.host, algorithm: sliding_window, capacity: 5, rate: 60s, bucket_key: [conn.client_ip]}',
      'rate-limit',
    ),
    'in profiles without interpolation': 'inbound: [{actions: [{type: log, config: {metadata: {a: req.Host}}}]}]',
  },
});
