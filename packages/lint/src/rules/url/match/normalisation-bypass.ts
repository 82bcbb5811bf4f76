import type { Rule } from '@tollgate/policy';
import { isRefusal } from '../../../actions/action-parts.ts';
import { conditionTests } from '../../../analyses/access/rule-conditions.ts';
import { judgeOf, type UrlSample } from '../../../analyses/urls/url-witness.ts';
import { lookupsIn } from '../../../expressions/lookups.ts';
import { isEquality, stringLiteralsOf, type ValueTest } from '../../../expressions/value-tests.ts';
import type { ProfileRoles } from '../../../profile/profile-roles.ts';
import type { LintRule } from '../../../rule-api/lint-rule.ts';
import { placeOf } from '../../../rule-api/linted-expression.ts';

const ORIGIN = 'https://app.example.com';

/** `req.Path == '/admin'` in a refusal, which `/admin/` passes. */
export const NORMALISATION_BYPASS: LintRule = {
  id: 'url/normalisation-bypass',
  severity: 'warning',
  summary: 'a refused path that passes in another spelling',
  rationale:
    'Most applications take `/admin/` for `/admin`, and `/%61dmin` in a URL for the same. A refusal that compares with one spelling is ' +
    'passed by the other. Ask for the decoded path, with and without what is below it.',
  bad: {
    policy: `\
inbound:
  - name: the back office is closed
    expressions: ["«req.Path == '/admin'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: the back office is closed
    expressions: ["req.Path == '/admin' || req.Path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['security', 'strict'],
  check: {
    expression: (at, context) => {
      if (at.role !== 'condition' || !at.rule.actions.some(isRefusal)) return;
      const tests = at.analysis.testsOf('path', 'url').filter(refusesItsLiterals);
      if (tests.length === 0 || looksIntoRequest(at.rule, context.file.roles)) return;
      const judge = judgeOf(at, context);
      for (const { test, text } of stringLiteralsOf(tests)) {
        const spelling = otherSpelling(test, text);
        if (!spelling || judge(spelling.plain) === false || judge(spelling.other) !== false) continue;
        context.report({
          range: placeOf(at, test.call.range),
          message: `\`${spelling.shown}\` is not refused here, and most applications take it for \`${text}\`; refuse it as well`,
          args: { found: text, witness: spelling.shown },
        });
      }
    },
  },
};

/** A rule about methods and parameters turns away what is malformed, and guards no area. */
function looksIntoRequest(rule: Rule, roles: ProfileRoles): boolean {
  const looked = rule.expressions.flatMap(({ typed }) => (typed ? lookupsIn(typed, roles) : []));
  return [...conditionTests(rule, roles).map(({ origin }) => origin), ...looked].some(({ role }) =>
    FORM.has(role ?? ''),
  );
}

const FORM: ReadonlySet<string> = new Set(['method', 'query-parameters', 'query']);

function refusesItsLiterals({ kind, isNegated }: ValueTest): boolean {
  return !isNegated && ['==', 'in', 'startsWith', 'contains'].includes(kind);
}

interface Spelling {
  readonly plain: UrlSample;
  readonly other: UrlSample;
  readonly shown: string;
}

/** Of a path compared as a whole, one with a slash behind it; of a part of the URL, one with an encoded letter. */
function otherSpelling(test: ValueTest, text: string): Spelling | undefined {
  if (test.origin.role === 'path') {
    // A file is no directory; and a path without letters is one of the site itself.
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
