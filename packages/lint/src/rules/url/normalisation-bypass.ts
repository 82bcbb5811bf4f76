import type { Rule } from '@tollgate/policy';
import { conditionTests, guards, hides } from '../../analyses/access.ts';
import { type UrlSample, urlPredicateOf } from '../../analyses/path-guards.ts';
import { meantBy } from '../../analyses/patterns.ts';
import { isRefusal } from '../../readers/actions.ts';
import { lookupsIn } from '../../readers/lookups.ts';
import type { ProfileRoles } from '../../readers/profile-roles.ts';
import { isEquality, markedNode, stringLiteralsOf, type ValueTest } from '../../readers/value-tests.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

const ORIGIN = 'https://app.example.com';

/** Reports a rule that denies `req.Path == '/admin'` but lets `/admin/` pass. */
export const NORMALISATION_BYPASS: LintRule = {
  id: 'url/normalisation-bypass',
  severity: 'info',
  summary: 'denied path that passes in another spelling',
  rationale:
    'Most applications treat `/admin/` like `/admin`, and `/%61dmin` in a URL as the same path. A rule that denies or checks only one ' +
    'spelling is bypassed with the other. Compare the decoded path, both with and without a trailing slash.',
  bad: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["«req.Path == '/admin'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no admin pages
    expressions: ["req.Path == '/admin' || req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended', 'security', 'strict'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !guards(at.rule) || hides(at.rule)) return;
      const isSigned = at.rule.actions.some(({ type }) => type.value === 'verify-webhook');
      const tests = at.analysis
        .testsOf('path', 'url')
        // A webhook has one address, and no pages below it.
        .filter(test => refusesItsLiterals(test) && !(isSigned && isEquality(test)));
      if (tests.length === 0 || testsForm(at.rule, context.file.roles)) return;
      const decide = urlPredicateOf(at, context);
      for (const { test, text } of stringLiteralsOf(tests)) {
        // `regex/compared-literally` reports a glob.
        if (meantBy(text, test) !== undefined) continue;
        const spelling = otherSpelling(test, text);
        if (!spelling || decide(spelling.plain) === false || decide(spelling.other) !== false) continue;
        if (isTestedElsewhere(spelling.shown, at, context.file.roles)) continue;
        context.report({
          range: rangeInDocument(at, markedNode(test).range),
          message: `\`${spelling.shown}\` is not ${at.rule.actions.some(isRefusal) ? 'denied' : 'checked'}, but most applications treat it like \`${text}\`; test for it too`,
          args: { found: text, witness: spelling.shown },
        });
      }
    },
  },
};

/** True if another condition tests for exactly that spelling, for example to redirect it. */
function isTestedElsewhere(path: string, { policy, rule }: LintedExpression, roles: ProfileRoles): boolean {
  return policy.rules[rule.phase].some(other =>
    conditionTests(other, roles).some(test => stringLiteralsOf([test]).some(({ text }) => text === path)),
  );
}

/** True if the rule also tests the method or parameters: it then denies malformed requests rather than protecting a path. */
function testsForm(rule: Rule, roles: ProfileRoles): boolean {
  const lookups = rule.expressions.flatMap(({ typed }) => (typed ? lookupsIn(typed, roles) : []));
  return [...conditionTests(rule, roles).map(({ origin }) => origin), ...lookups].some(({ role }) =>
    FORM.has(role ?? ''),
  );
}

const FORM: ReadonlySet<string> = new Set(['method', 'query-parameters', 'query']);

function refusesItsLiterals({ kind, isNegated }: ValueTest): boolean {
  return !isNegated && ['==', 'in', 'startsWith', 'contains'].includes(kind);
}

/** Returns another spelling: with or without the slash at the end of a path, an encoded letter for a part of the URL. */
function otherSpelling(
  test: ValueTest,
  text: string,
): { readonly plain: UrlSample; readonly other: UrlSample; readonly shown: string } | undefined {
  if (test.origin.role === 'path') {
    if (test.kind === 'startsWith') {
      if (!/^\/(?:[\w.~-]+\/)*[\w~-]+\/$/.test(text)) return undefined;
      const bare = text.slice(0, -1);
      return { plain: sampleOf(`${text}x`), other: sampleOf(bare), shown: bare };
    }
    // Files and the root path have no spelling with a trailing slash.
    if (!isEquality(test) || !/^\/(?:[^?#]*\/)?[^./?#]+$/.test(text)) return undefined;
    return { plain: sampleOf(text), other: sampleOf(`${text}/`), shown: `${text}/` };
  }
  const path = text.replace(/^https?:\/\/[^/]+/, '');

  const letter = path.search(/[a-z](?!.*[a-z].*\/\/)/i);
  if (!/^[\w./~-]+$/.test(path) || !path.includes('/') || letter < 0) return undefined;
  const whole = path.startsWith('/') ? path : `/${path}`;
  const code = path.charCodeAt(letter).toString(16);
  const encoded = whole.replace(path, `${path.slice(0, letter)}%${code}${path.slice(letter + 1)}`);
  return { plain: sampleOf(whole), other: { url: ORIGIN + encoded, path: whole }, shown: encoded };
}

function sampleOf(path: string): UrlSample {
  return { url: ORIGIN + path, path };
}
