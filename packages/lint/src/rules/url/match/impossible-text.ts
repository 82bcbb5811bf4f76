import type { ValueRole } from '@tollgate/catalog';
import { patternTreeOf } from '../../../analyses/file/pattern-trees.ts';
import type { PatternUse } from '../../../analyses/literals/pattern-uses.ts';
import { checkPatterns } from '../../../analyses/literals/pattern-uses.ts';
import { originOf } from '../../../expressions/value-origin.ts';
import { stringLiteralsOf, type ValueTest } from '../../../expressions/value-tests.ts';
import { fieldNamed } from '../../../profile/profile-roles.ts';
import type { LintContext } from '../../../rule-api/lint-context.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../../rule-api/linted-expression.ts';

const WHOLE: ReadonlySet<ValueRole> = new Set(['url', 'path', 'path-and-query']);

/** Only a plain sign right behind `^` is looked at. */
const NO_SCHEME = /\^[^hH([.\\]/;
const NO_SLASH = /\^[^/*([.\\]/;

/** `from: ^/old`. */
export const IMPOSSIBLE_TEXT: LintRule = {
  id: 'url/impossible-text',
  severity: 'warning',
  summary: 'a text or pattern that no URL, or no path, has',
  rationale:
    'A URL begins with its scheme and a path with a slash; a URL holds no spaces, and what is behind `#` is never sent; a path has no ' +
    'query. What asks for something else holds for no request.',
  bad: {
    policy: `\
inbound:
  - name: old pages
    actions: [{ type: redirect, config: { from: "«^/»old/(.*)$", to: "https://example.com/new/$1" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: old pages
    actions: [{ type: redirect, config: { from: "^https?://[^/]+/old/(.*)$", to: "https://example.com/new/$1" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    ...checkPatterns((use, context) => checkPattern(use, context)),
    expression: (at, context) => {
      if (at.role === 'interpolation') checkFilledIn(at, context);
      const tests = at.analysis.testsOf(...WHOLE).filter(test => test.kind !== 'matches');
      for (const { test, node, text } of stringLiteralsOf(tests)) {
        const problem = problemOf(test, text);
        if (problem === undefined) continue;
        context.report({ range: placeOf(at, node.range), message: `\`${text}\` ${problem}`, args: { found: text } });
      }
    },
  },
};

/** `^${req.url.path}` in a pattern for the whole URL. */
function checkFilledIn(at: LintedExpression, context: LintContext): void {
  const { config, offset, typed } = at;
  const field = config && fieldNamed(config.action.fact?.config, config.path[0]!);
  if (field?.role !== 'url-pattern' || config?.node.value.slice(0, offset) !== '^${') return;
  const origin = originOf(typed, context.file.roles, typed.ast.root);
  if (!origin?.isWhole || !NO_BEGINNING.has(origin.role)) return;
  context.report({
    range: placeOf(at, typed.ast.root.range),
    message: `no URL begins with \`${origin.path}\`: it begins with the scheme; write \`^https?://\` before`,
    args: { found: origin.path },
  });
}

const NO_BEGINNING: ReadonlySet<ValueRole | undefined> = new Set(['host', 'path', 'path-and-query', 'query'] as const);

function problemOf({ kind, origin: { role, isWhole } }: ValueTest, text: string): string | undefined {
  if (!isWhole) return undefined;
  if (text.includes('#') && role === 'url') return 'is in no URL: what is behind `#` is not sent; leave that out';
  if (/\s/.test(text) && role === 'url') return 'is in no URL, which has no spaces; write `%20`';
  if (role === 'url') return undefined;
  if (role === 'path' && text.includes('?'))
    return 'is in no path: the query is not part of it; ask for the parameter by itself';
  const isBeginning = kind === '==' || kind === '!=' || kind === 'in' || kind === 'startsWith';
  // The empty text is the beginning of every other.
  if (!isBeginning || text === '' || text.startsWith('/') || text === '*') return undefined;
  return `is the beginning of no path; write \`/${text}\``;
}

function checkPattern({ pattern, subject, placeOf: place }: PatternUse, context: LintContext): void {
  if (subject === undefined || !WHOLE.has(subject) || !(subject === 'url' ? NO_SCHEME : NO_SLASH).test(pattern)) return;
  const branches = patternTreeOf(pattern, context.file)?.root.alternatives ?? [];
  for (const { elements } of branches) {
    const [first, second] = elements;
    if (first?.type !== 'Assertion' || first.kind !== 'start' || second?.type !== 'Character') continue;
    const sign = String.fromCodePoint(second.value);
    const expected = expectedStart(subject, sign);
    if (expected === undefined) continue;
    context.report({
      range: place({ start: first.start, end: second.end }),
      message: `no ${subject === 'url' ? 'URL' : 'path'} begins with \`${sign}\`: ${expected}`,
      args: { found: sign },
    });
  }
}

function expectedStart(subject: ValueRole, sign: string): string | undefined {
  if (subject === 'url')
    return /h/i.test(sign) ? undefined : 'it begins with the scheme; write `^https?://[^/]+` before a path';
  return sign === '/' || sign === '*' ? undefined : 'it begins with a slash; write `^/`';
}
