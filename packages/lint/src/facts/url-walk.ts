import type { ValueRole } from '@tollgate/catalog';
import { validatePattern } from '@tollgate/cel';
import { findWithRe2, type Rule, replaceAll } from '@tollgate/policy';
import { matchingText } from '../regex/matching-text.ts';
import type { LintContext } from '../rule/lint-context.ts';
import { lookUpsIn } from './look-ups.ts';
import type { Replacement } from './replacements.ts';
import { type Judge, judgeOf } from './url-witness.ts';
import { valueTestsIn } from './value-tests.ts';

const ORIGIN = 'https://app.example.com';

/** What stays as it is when a client asks for another URL of the same host. */
const STABLE: ReadonlySet<ValueRole | undefined> = new Set([
  ...([
    'client-address',
    'country-code',
    'tls-version',
    'method',
    'user-agent',
    'request-headers',
    'request-cookies',
  ] as const),
]);

/**
 * The URLs that a replacement leads through, beginning with one that its rule applies to, at most `steps` further. Ends before one
 * that the rule does not apply to, that is of another host, or at which nothing changes. Undefined where what the replacement does
 * hangs on more than the URL, or no beginning was found.
 */
export function urlsFrom(
  { from, tree, to, references, action }: Replacement,
  rule: Rule,
  { steps, context }: { readonly steps: number; readonly context: LintContext },
): readonly string[] | undefined {
  const isFilledIn = references.some(({ kind }) => kind !== 'group') || to.value.includes('${');
  // What is no pattern of RE2 has been reported by the analysis.
  if (!from || !tree || isFilledIn || rule.actions[0] !== action || validatePattern(from.value)) return undefined;
  const find = findWithRe2(from.value);
  const next = (url: string): string | undefined => absolute(replaceAll(url, find, to.value), url);
  const applies = judgeRule(rule, context);
  const first =
    applies &&
    startsOf(matchingText(tree.root), rule, context).find(
      url => applies(url) && next(url) !== undefined && next(url) !== url,
    );
  if (!applies || first === undefined) return undefined;
  const urls = [first];
  while (urls.length <= steps) {
    const url = next(urls.at(-1)!);
    if (url === undefined || url === urls.at(-1) || hostOf(url) !== hostOf(first) || url.length > 2000) break;
    urls.push(url);
    if (!applies(url)) break;
  }
  return urls;
}

/** Whether all conditions hold of a URL, others than it being left out of account where they stay as they are. */
function judgeRule(rule: Rule, context: LintContext): ((url: string) => boolean) | undefined {
  const { roles } = context.file;
  const judges: Judge[] = [];
  for (const { typed } of rule.expressions) {
    if (!typed) return undefined;
    const judge = judgeOf({ typed, rule }, context);
    const inputs = [
      ...valueTestsIn(typed, roles).map(({ origin }) => origin.role),
      ...lookUpsIn(typed, roles).map(({ role }) => role),
    ];
    const isStable = inputs.length > 0 && inputs.every(role => STABLE.has(role));
    judges.push(sample => (isStable ? true : judge(sample)));
  }
  return url => judges.every(judge => judge({ url, path: decodeURI(new URL(url).pathname) }) === true);
}

/** URLs to try: of what the pattern matches, and of the paths that conditions name. */
function startsOf(text: string | undefined, { expressions }: Rule, { file }: LintContext): readonly string[] {
  const tests = expressions.flatMap(({ typed }) => (typed ? valueTestsIn(typed, file.roles) : []));
  const paths = tests.flatMap(({ origin, literals }) =>
    origin.role === 'path' ? literals.flatMap(({ literal }) => (literal.type === 'string' ? [literal.value] : [])) : [],
  );
  const texts = [text ?? '', ...paths, ...paths.map(path => `${path}${text ?? ''}`)];
  return texts.flatMap(one => [one, ORIGIN + one, `${ORIGIN}/${one}`]).filter(isAbsolute);
}

function isAbsolute(url: string): boolean {
  return /^https?:\/\/[\w.-]+(?:[/?]|$)/.test(url) && URL.canParse(url) && isDecodable(url);
}

function isDecodable(url: string): boolean {
  return !/%(?![0-9a-fA-F]{2})|%[89a-fA-F]/.test(url);
}

/** As a client resolves it; undefined for what is no URL. */
function absolute(url: string, base: string): string | undefined {
  const resolved = URL.canParse(url, base) ? new URL(url, base).href : undefined;
  return resolved !== undefined && isAbsolute(resolved) ? resolved : undefined;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
