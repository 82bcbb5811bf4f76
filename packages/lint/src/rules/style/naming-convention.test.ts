import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { NAMING_CONVENTION } from './naming-convention.ts';

const named = (name: string, pattern?: string) => ({
  policy: `inbound: [{name: ${name}, actions: [{type: log}]}]`,
  ...(pattern !== undefined && { options: { pattern } }),
});

testRule(it, NAMING_CONVENTION, {
  fires: {
    'with the pattern': {
      ...named('«Rule»', '^[a-z]+$'),
      message: 'the name `Rule` does not match `^[a-z]+$`, as names of rules are to',
    },
    'for every name when the pattern is none': named('«a»', '('),
  },
  silent: {
    'for names that match': named('rule', '^[a-z]+$'),
    'without a pattern': named('Rule'),
    'for rules without a name': { policy: 'inbound: [{actions: [{type: log}]}]', options: { pattern: '^[a-z]+$' } },
  },
});
