import type { Range } from '@tollgate/diagnostics';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Direction marks, joiners and other invisible characters. A byte-order mark is allowed at the start of the file. */
const HIDDEN =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|\u034f/g;
/** Words in scripts with look-alike letters. Patterns are built on use because V8 loads the data of a script as soon as it parses its name. */
const mixed = () => /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{2,}/gu;
const scriptPatterns = () => [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];
const NAMES = ['Latin', 'Cyrillic', 'Greek'];

/** Reports names and strings such as one with a Cyrillic letter in an otherwise Latin word. */
export const CONFUSABLE_TEXT: LintRule = {
  id: 'doc/confusable-text',
  severity: 'warning',
  summary: 'invisible characters, or words that mix look-alike alphabets',
  rationale:
    'A letter from another alphabet, a zero-width character or a bidirectional control character makes a string look like a different ' +
    'one. In a condition, it compares with a value that no client sends; in a review, it can hide what a rule does.',
  bad: {
    policy: `\
inbound:
  - name: staff only
    expressions: ["req.Host == '«\u0430dmin».example.com'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: staff only
    expressions: ["req.Host == 'admin.example.com'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    file: ({ source: { text } }, context) => {
      // Most policies are ASCII; skip them with one test.
      if (!/[\u0080-\uffff]/.test(text)) return;
      reportHidden(text, context);
      reportMixed(text, context);
    },
  },
};

function reportHidden(text: string, context: LintContext): void {
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index === 0 && character === '\ufeff') continue;
    // Zero-width joiners are legitimate inside emoji sequences.
    if (character === '\u200d' && /\p{Extended_Pictographic}\ufe0f?$/u.test(text.slice(Math.max(0, index - 4), index)))
      continue;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    const message = `invisible character U+${code}; remove it, or write it as an escape sequence`;
    context.report({ range: { start: index, end: index + 1 }, message, args: { character: `U+${code}` } });
  }
}

function reportMixed(text: string, context: LintContext): void {
  const patterns = scriptPatterns();
  for (const { 0: word, index } of text.matchAll(mixed())) {
    const scripts = NAMES.filter((_, at) => patterns[at]!.test(word));
    if (scripts.length < 2) continue;
    const range: Range = { start: index, end: index + word.length };
    const message = `\`${word}\` mixes ${scripts.join(' and ')} letters, which look alike; use one alphabet per word`;
    context.report({ range, message, args: { word, scripts } });
  }
}
