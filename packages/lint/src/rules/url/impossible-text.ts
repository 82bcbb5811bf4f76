import type { ValueRole } from '@tollgate/catalog';
import { checkLiterals } from '../../analyses/literals.ts';
import { checkPatterns, meantBy, type PatternUse, patternTreeOf } from '../../analyses/patterns.ts';
import { fieldNamed } from '../../readers/profile-roles.ts';
import { originOf } from '../../readers/value-origin.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

const WHOLE: ReadonlySet<ValueRole> = new Set(['url', 'path', 'path-and-query']);

/** Quick tests: `^` followed by a literal character that cannot start a URL or path. */
const NO_SCHEME = /\^[^hH([.\\]/;
const NO_SLASH = /\^[^/*([.\\]/;

/** Reports `from: ^/old`. */
export const IMPOSSIBLE_TEXT: LintRule = {
  id: 'url/impossible-text',
  severity: 'warning',
  summary: 'string or pattern that no URL or path can contain',
  rationale:
    'A URL starts with its scheme, and a path with a slash. A URL contains no spaces, its fragment after `#` is never sent, and a path ' +
    'contains no query. A test for anything else matches no request.',
  bad: {
    policy: `\
inbound:
  - name: move old pages
    actions: [{ type: redirect, config: { from: "«^/»old/(.*)$", to: "https://example.com/new/$1" } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: move old pages
    actions: [{ type: redirect, config: { from: "^https?://[^/]+/old/(.*)$", to: "https://example.com/new/$1" } }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check: {
    ...checkPatterns((use, context) => checkPattern(use, context)),
    expression: (at, context) => {
      if (at.role === 'interpolation') checkInterpolation(at, context);
      LITERALS.expression(at, context);
    },
  },
};

/** Reports `^${req.url.path}` in a pattern for the whole URL. */
function checkInterpolation(at: LintedExpression, context: LintContext): void {
  const { config, offset, typed } = at;
  const field = config && fieldNamed(config.action.fact?.config, config.path[0]!);
  if (field?.role !== 'url-pattern' || config?.node.value.slice(0, offset) !== '^${') return;
  const origin = originOf(typed, context.file.roles, typed.ast.root);
  if (!origin?.isWhole || !NOT_AT_START.has(origin.role)) return;
  context.report({
    range: rangeInDocument(at, typed.ast.root.range),
    message: `no URL starts with \`${origin.path}\`: it starts with the scheme; insert \`^https?://\``,
    args: { found: origin.path },
  });
}

const NOT_AT_START: ReadonlySet<ValueRole | undefined> = new Set(['host', 'path', 'path-and-query', 'query'] as const);

const LITERALS = checkLiterals(
  [...WHOLE, 'host'],
  ({ text, test, context }) => {
    // `regex/compared-literally` says what to write instead.
    if (meantBy(text, test) !== undefined) return undefined;
    const problem = problemOf(test, text, context);
    return problem === undefined ? undefined : { message: `\`${text}\` ${problem}` };
  },
  ({ kind }) => kind !== 'matches',
);

function problemOf({ kind, origin }: ValueTest, text: string, context: LintContext): string | undefined {
  const { role, isWhole } = origin;
  if (role === 'host') return problemOfHost(text);
  if (!isWhole) return undefined;
  if (role === 'path' && !isRawPath(origin.path) && /%(?!25)[\da-f]{2}/i.test(text)) {
    const raw = [...context.file.roles.variables.keys()].find(path => /\.raw_?path$/i.test(path));
    const plain = decoded(text);
    return `occurs in no path, which is decoded; write \`${plain}\`${raw === undefined ? '' : `, or test \`${raw}\``}`;
  }
  if (text.includes('#') && role === 'url') return 'occurs in no URL: the fragment after `#` is never sent; remove it';
  if (/\s/.test(text) && role === 'url') return 'occurs in no URL: spaces are encoded; write `%20`';
  if (role === 'url') return undefined;
  if (role === 'path' && text.includes('?'))
    return 'occurs in no path: the query is separate; test the parameter instead';
  const testsStart = kind === '==' || kind === '!=' || kind === 'in' || kind === 'startsWith';
  // Every string starts with the empty string.
  if (!testsStart || text === '' || text.startsWith('/') || text === '*') return undefined;
  return `starts no path: paths start with a slash; write \`/${text}\``;
}

function isRawPath(path: string): boolean {
  return /raw_?path$/i.test(path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A host is a name and perhaps a port: it has no scheme, path or user. */
function problemOfHost(text: string): string | undefined {
  const name = /^(?:https?:)?\/\/([^/]*)/i.exec(text)?.[1] ?? /^([\w.-]+)\/+[^/]*$/.exec(text)?.[1];
  if (name === undefined || name === '') return undefined;
  return `is no host: a host has neither scheme nor path; write \`${name}\``;
}

function checkPattern({ pattern, subject, rangeOf }: PatternUse, context: LintContext): void {
  if (subject === undefined || !WHOLE.has(subject) || !(subject === 'url' ? NO_SCHEME : NO_SLASH).test(pattern)) return;
  const branches = patternTreeOf(pattern, context.file)?.root.alternatives ?? [];
  for (const { elements } of branches) {
    const [first, second] = elements;
    if (first?.type !== 'Assertion' || first.kind !== 'start' || second?.type !== 'Character') continue;
    const character = String.fromCodePoint(second.value);
    const expected = expectedStart(subject, character);
    if (expected === undefined) continue;
    context.report({
      range: rangeOf({ start: first.start, end: second.end }),
      message: `no ${subject === 'url' ? 'URL' : 'path'} starts with \`${character}\`: ${expected}`,
      args: { found: character },
    });
  }
}

function expectedStart(subject: ValueRole, character: string): string | undefined {
  if (subject === 'url')
    return /h/i.test(character) ? undefined : 'it starts with the scheme; insert `^https?://[^/]+`';
  return character === '/' || character === '*' ? undefined : 'it starts with a slash; write `^/`';
}
