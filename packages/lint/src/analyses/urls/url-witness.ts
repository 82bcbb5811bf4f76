import { STRING_KEY, type ValueRole } from '@tollgate/catalog';
import { compileClosures, type HostObject, partialMap, Unknown } from '@tollgate/cel';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';

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
