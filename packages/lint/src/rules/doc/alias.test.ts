import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { ALIAS } from './alias.ts';

testRule(it, ALIAS, {
  fires: {
    'at the anchor, with the number of places': {
      policy: 'inbound: [{actions: &a «[{type: log}]»}, {actions: *a}, {actions: *a}]',
      message: 'this part is used in 3 places, and will be published as so many copies',
    },
    'for texts':
      "inbound: [{expressions: [&a «req.Method == 'X'»], actions: [{type: log}]}, {expressions: [*a], actions: [{type: log}]}]",
  },
  silent: {
    'for an anchor that is not used': 'inbound: &a [{actions: [{type: log}]}]',
    'for nothing, which may stand at one place twice': 'inbound:\noutbound:\n',
  },
});
