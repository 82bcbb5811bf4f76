import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { CONFUSABLE_TEXT } from './confusable-text.ts';

const rule = (name: string) => `inbound: [{name: '${name}', actions: [{type: deny}]}]`;

testRule(it, CONFUSABLE_TEXT, {
  fires: {
    'for letters of two scripts in a word': {
      policy: rule('«p\u0430yments»'),
      message: '`p\u0430yments` mixes letters of Latin and Cyrillic, which look alike',
    },
    'for characters that nobody sees': {
      policy: rule('a«\u200b»b'),
      message: 'there is a character here that nobody sees, U+200B; take it out, or write it as an escape',
    },
    'for marks of direction, in comments as well': { policy: `# «\u202e»\n${rule('a')}` },
  },
  silent: {
    'for words of one script each': rule('платежи payments πληρωμές'),
    'for accents, signs and emoji': rule('café – 5 µs 👩\u200d👧'),
    'for a mark at the beginning of the text': `\ufeff${rule('a')}`,
  },
});
