import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { CLIENT_CHOSEN_UPSTREAM } from './client-chosen-upstream.ts';

const forwarding = (url: string, condition = "req.method == 'GET'") =>
  ({
    policy: `on_http_request:\n  - expressions: ["${condition}"]\n    actions: [{ type: forward-internal, config: { url: "${url}" } }]\n`,
    profile: 'modern',
  }) as const;

testRule(it, CLIENT_CHOSEN_UPSTREAM, {
  fires: {
    'for a parameter': {
      ...forwarding("https://${«req.url.query_params['to'][0]»}.internal", "'to' in req.url.query_params"),
      message: 'client chooses the upstream with `to`; compare it with a list of services in a condition',
    },
    'for a part of the path': forwarding("https://${«req.url.path.split('/')[1]»}.internal"),
  },
  silent: {
    'for a value from a list': forwarding(
      "https://${req.url.query_params['to'][0]}.internal",
      "'to' in req.url.query_params && req.url.query_params['to'][0] in ['a', 'b']",
    ),
    'for a host that the edge knows': forwarding("https://${req.url.host.split('.')[0]}.internal"),
    'for the path behind a host': forwarding('https://shop.internal${req.url.path}'),
    'for settings of the policy': forwarding('https://${conn.server_region}.internal'),
  },
});
