import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { CONFUSABLE_TEXT } from './confusable-text.ts';

const rule = (name: string) => `inbound: [{name: '${name}', actions: [{type: deny}]}]`;

testRule(it, CONFUSABLE_TEXT, {
  fires: {
    'for letters of two scripts in one word': {
      policy: rule('«p\u0430yments»'),
      message: '`p\u0430yments` mixes Latin and Cyrillic letters, which look alike; use one alphabet per word',
    },
    'for a zero-width space': {
      policy: rule('a«\u200b»b'),
      message: 'invisible character U+200B; remove it, or write it as an escape sequence',
    },
    'for direction marks, even in comments': { policy: `# «\u202e»\n${rule('a')}` },
  },
  silent: {
    'for words in one script each': rule('платежи payments πληρωμές'),
    'for accents, symbols and emoji sequences': rule('café – 5 µs 👩\u200d👧'),
    'for a byte-order mark at the start of the file': `\ufeff${rule('a')}`,
  },
});
