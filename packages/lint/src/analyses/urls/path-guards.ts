import { validatePattern } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type Rule } from '@tollgate/policy';
import { type ValueTest, valueTestsIn } from '../../expressions/value-tests.ts';
import { memoize } from '../../primitives/memoize.ts';
import { mayRead } from '../../profile/role-words.ts';
import { matchingText } from '../../regex/matching-text.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import { keepsOut } from '../access/access.ts';
import { patternTreeOf } from '../file/pattern-trees.ts';
import { type UrlPredicate, urlPredicateOf } from './url-witness.ts';

/** A rule that protects paths. */
export interface PathGuard {
  readonly rule: Rule;
  /** One predicate for each condition of the rule that reads the URL. */
  readonly predicates: () => readonly UrlPredicate[];
  /** Sources of these conditions. */
  readonly sources: readonly string[];
  /** The protected paths, each with the test that names it. */
  readonly paths: readonly GuardedPath[];
}

/** A protected path. */
export interface GuardedPath {
  readonly path: string;
  readonly range: Range;
}

const URL_ROLES = ['path', 'path-and-query', 'url'] as const;

/** Returns the rules that protect paths, in order. Conditions are compiled on first use. */
export function pathGuards(rules: readonly Rule[], context: LintContext): readonly PathGuard[] {
  const { roles } = context.file;
  return rules.filter(keepsOut).flatMap(rule => {
    const looking = rule.expressions.filter(({ typed }) => typed && mayRead(typed.ast.source, roles.words, URL_ROLES));
    if (looking.length === 0) return [];
    const paths = looking.flatMap(({ typed, text }) =>
      valueTestsIn(typed!, roles).flatMap(test => {
        const range = documentRange(text, test.call.range);
        return pathsOf(test, context).map(path => ({ path, range }));
      }),
    );
    return [
      {
        rule,
        paths,
        predicates: memoize(() => looking.map(({ typed }) => urlPredicateOf({ typed: typed!, rule }, context))),
        sources: looking.map(({ source }) => source),
      },
    ];
  });
}

/** Returns the paths that a test names, if it holds for them. */
function pathsOf({ origin, kind, isNegated, literals }: ValueTest, { file }: LintContext): readonly string[] {
  const isUrl = URL_ROLES.some(role => role === origin.role);
  if (!isUrl || (kind === '!=') !== isNegated) return [];
  return literals.flatMap(({ literal }) => {
    if (literal.type !== 'string') return [];
    const text = kind === 'matches' ? matchOf(literal.value, file) : literal.value;
    const path = text === undefined ? undefined : /^(?:https?:\/\/[^/]+)?(\/[\w./~-]*[a-z][\w./~-]*)$/i.exec(text)?.[1];
    // A test for an alternative spelling does not name a path.
    return path === undefined || /\/\/|\/[.]/.test(path) ? [] : [path];
  });
}

function matchOf(pattern: string, file: LintContext['file']): string | undefined {
  const tree = validatePattern(pattern) ? undefined : patternTreeOf(pattern, file);
  return tree && matchingText(tree.root);
}

/** Returns true if all conditions about the URL may hold, so that the guard refuses some request for it. */
export function mayKeepOut({ predicates }: PathGuard, url: string, path: string): boolean {
  return predicates().every(predicate => predicate({ url, path }) !== false);
}

/** Returns the first path segment in lower case. Guards of other areas can be skipped. */
export function areaOf(path: string): string {
  return path.split('/')[1]!.toLowerCase();
}
