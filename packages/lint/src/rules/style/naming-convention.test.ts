import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { NAMING_CONVENTION } from './naming-convention.ts';

const named = (name: string, pattern?: string) => ({
  policy: `inbound: [{name: ${name}, actions: [{type: log}]}]`,
  ...(pattern !== undefined && { options: { pattern } }),
});

testRule(it, NAMING_CONVENTION, {
  fires: {
    'with the pattern': {
      ...named('«Rule»', '^[a-z]+$'),
      message: 'rule name `Rule` does not match `^[a-z]+$`; rename the rule',
    },
    'for every name if the pattern is invalid': named('«a»', '('),
  },
  silent: {
    'for names that match': named('rule', '^[a-z]+$'),
    'without a pattern': named('Rule'),
    'for unnamed rules': { policy: 'inbound: [{actions: [{type: log}]}]', options: { pattern: '^[a-z]+$' } },
  },
});
