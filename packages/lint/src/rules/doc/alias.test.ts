import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { ALIAS } from './alias.ts';

testRule(it, ALIAS, {
  fires: {
    'at the anchor, with the number of uses': {
      policy: 'inbound: [{actions: &a «[{type: log}]»}, {actions: *a}, {actions: *a}]',
      message: 'this value is used 3 times and is published as 3 copies; share one rule, or write out each copy',
    },
    'for an aliased string':
      "inbound: [{expressions: [&a «req.Method == 'X'»], actions: [{type: log}]}, {expressions: [*a], actions: [{type: log}]}]",
  },
  silent: {
    'for an unused anchor': 'inbound: &a [{actions: [{type: log}]}]',
    'for empty values, which may share a position': 'inbound:\noutbound:\n',
  },
});
