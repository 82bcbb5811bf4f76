// Rules that keep traffic out of a path, and the URLs for which their conditions hold.

import { STRING_KEY, type ValueRole } from '@tollgate/catalog';
import { compileClosures, type HostObject, partialMap, Unknown } from '@tollgate/cel';
import { validatePattern } from '@tollgate/cel/tooling';
import { once, type Range } from '@tollgate/diagnostics';
import { documentRange, type Rule } from '@tollgate/policy';
import { matchingText } from '../readers/pattern-tree.ts';
import { mayRead } from '../readers/profile-roles.ts';
import { type ValueTest, valueTestsIn } from '../readers/value-tests.ts';
import type { LintContext } from '../rule-api/lint-context.ts';
import type { LintedExpression } from '../rule-api/linted-expression.ts';
import { guards } from './access.ts';
import { patternTreeOf } from './patterns.ts';

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
  return rules.filter(guards).flatMap(rule => {
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
        predicates: once(() => looking.map(({ typed }) => urlPredicateOf({ typed: typed!, rule }, context))),
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

/** A URL and its decoded path. */
export interface UrlSample {
  readonly url: string;
  readonly path: string;
}

/** Evaluates a condition for a URL, with all other inputs unknown. */
export type UrlPredicate = (sample: UrlSample) => boolean | 'undecided';

/** Compiles a condition into a predicate on URLs. */
export function urlPredicateOf(
  { typed, rule }: Pick<LintedExpression, 'typed' | 'rule'>,
  { file }: LintContext,
): UrlPredicate {
  const program = compileClosures(typed, file.environments[rule.phase]);
  const roots = new Set(file.profile.variables.map(({ path }) => path.split('.')[0]!));
  return sample => {
    const known = activationFor(sample, file.roles.variables);
    const activation = Object.fromEntries([...roots].map(root => [root, known[root] ?? new Unknown([root])]));
    const result = program.evaluate(activation);
    return typeof result === 'boolean' ? result : 'undecided';
  };
}

const VALUES: Partial<Record<ValueRole, (sample: UrlSample) => string>> = {
  url: ({ url }) => url,
  path: ({ path }) => path,
  'path-and-query': ({ url }) => url.replace(/^https?:\/\/[^/]*/, ''),
  query: ({ url }) => url.split('?')[1] ?? '',
};

/** Paths such as `req.url.raw_path`, which are not decoded. */
function isRaw(path: string): boolean {
  return path.slice(path.lastIndexOf('.') + 1).startsWith('raw');
}

function rawPath({ url }: UrlSample): string {
  return url.replace(/^https?:\/\/[^/]*/, '').split('?')[0]!;
}

/** Builds objects that contain only the parts of the URL. */
function activationFor(
  sample: UrlSample,
  variables: LintContext['file']['roles']['variables'],
): Readonly<Record<string, HostObject>> {
  const values = [...variables.values()].flatMap(({ path, role }) => {
    const value = role === 'path' && isRaw(path) ? rawPath(sample) : role && VALUES[role]?.(sample);
    return value === undefined ? [] : [[path, value] as const];
  });
  const paths = values.map(([path]) => path);
  const objects = (prefix: string): HostObject => {
    const below = values.filter(([path]) => path.startsWith(`${prefix}.`) || path === prefix);
    const names = new Set(below.flatMap(([path]) => path.slice(prefix.length + 1).split('.')[0] || []));
    const entries = [...names].map(name => {
      const path = `${prefix}.${name}`;
      const isOwner = paths.some(one => one.startsWith(`${path}.`));
      return [name, isOwner ? objects(path) : values.find(one => one[0] === path)![1]] as const;
    });
    const own = values.find(([path]) => path === prefix);
    return partialMap({ ...Object.fromEntries(entries), ...(own && { [STRING_KEY]: own[1] }) }, prefix);
  };
  const roots = new Set(paths.map(path => path.split('.')[0]!));
  return Object.fromEntries([...roots].map(root => [root, objects(root)]));
}
