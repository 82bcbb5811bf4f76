import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { STALE_AFTER_MUTATION } from './stale-after-mutation.ts';

const REWRITE = '{type: url-rewrite, config: {from: "/a/", to: "/b/"}}';

testRule(it, STALE_AFTER_MUTATION, {
  fires: {
    'once for each rewrite': {
      policy: `inbound:
- actions: [${REWRITE}]
- expressions: [«req.URL.contains('/a/')»]
  actions: [{type: deny}]
- expressions: [req.URL.contains('/b/')]
  actions: [{type: deny}]
- actions: [${REWRITE}]
- expressions: [req.Method == 'GET', «"size(req.Params['q']) > 1"»]
  actions: [{type: deny}]
`,
      message:
        "`req.URL` may have been rewritten by `url-rewrite` before; to test the client's URL, move this rule first",
    },
    'in the modern profile': {
      policy: `on_http_request:
- actions: [${REWRITE}]
- expressions: [«"req.url.path == '/a/'"»]
  actions: [{type: deny}]
`,
      profile: 'modern',
    },
  },
  silent: {
    'for tests of other inputs': `inbound:\n- actions: [${REWRITE}]\n- expressions: [req.Method == 'GET']\n  actions: [{type: deny}]\n`,
    'for tests before the rewrite': `inbound:\n- expressions: [req.Path == '/a/']\n  actions: [${REWRITE}]\n`,
    'in another phase': `inbound:\n- actions: [${REWRITE}]\noutbound:\n- expressions: [req.Path == '/a/']\n  actions: [{type: log}]\n`,
  },
});
