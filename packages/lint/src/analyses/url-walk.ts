// The URLs that redirects and rewrites lead to, followed from rule to rule.

import { terminationOf, type ValueRole } from '@tollgate/catalog';
import { validatePattern } from '@tollgate/cel/tooling';
import { onceForEach } from '@tollgate/diagnostics';
import { type Action, type Expression, findPattern, type Rule, replaceAll } from '@tollgate/policy';
import { isRedirect, stringOfRole, takesRole } from '../readers/actions.ts';
import { lookupsIn } from '../readers/lookups.ts';
import { isPlainPattern, matchingText } from '../readers/pattern-tree.ts';
import { fieldNamed, mayRead } from '../readers/profile-roles.ts';
import { type Replacement, readReplacement } from '../readers/replacements.ts';
import { valueTestsIn } from '../readers/value-tests.ts';
import type { ActionLocation, FileAnalysis, LintContext, LintedFile } from '../rule-api/lint-context.ts';
import type { LintedExpression } from '../rule-api/linted-expression.ts';
import { type UrlPredicate, urlPredicateOf } from './path-guards.ts';
import { PATTERN_TREES } from './patterns.ts';

const ORIGIN = 'https://app.example.com';

/** Inputs that keep their values when a client requests another URL of the same host. */
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
 * Returns the URLs that a replacement leads through, starting with one that its rule matches, for at most `steps` replacements. Stops
 * before a URL that the rule does not match, that an earlier rule may handle, that has another host, or that does not change. Undefined if
 * the first replacement already stops, if it depends on more than the URL, or if no start was found.
 */
export function urlsFrom(
  replacement: Replacement,
  place: ActionLocation,
  { steps, context }: { readonly steps: number; readonly context: LintContext },
): readonly string[] | undefined {
  const { from, to, references } = replacement;
  const isFilledIn = references.some(({ kind }) => kind !== 'group') || to.value.includes('${');
  const isReached = place.rule.actions.slice(0, place.index).every(goesOn);
  if (!from || isFilledIn || !isReached) return undefined;
  const replace = replacing(from.value, to.value);
  if (!replace || !hasKnownPattern(replacement)) return undefined;
  const next = (url: string): string | undefined => absoluteUrl(replace(url), url);
  const moved = (url: string): string | undefined => {
    const to = next(url);
    return to !== undefined && to !== url && haveSameHost(to, url) ? to : undefined;
  };
  // Most replacements stop at once. Conditions are compiled only for the others, because that costs far more.
  const starts = startsOf(matchOf(replacement), place.rule, context).filter(url => {
    const second = moved(url);
    return second !== undefined && moved(second) !== undefined;
  });
  if (starts.length === 0) return undefined;
  const applies = arrival(place, context);
  if (applies === undefined) return undefined;
  const first = starts.find(applies);
  if (first === undefined) return undefined;
  const urls = [first];
  while (urls.length <= steps) {
    const url = next(urls.at(-1)!);
    if (url === undefined || url === urls.at(-1) || hostOf(url) !== hostOf(first) || url.length > 2000) break;
    urls.push(url);
    if (!applies(url)) break;
  }
  return urls;
}

/** A URL and what a replacement makes of it. */
interface ReplacedUrl {
  readonly before: string;
  readonly after: string;
}

/** Returns URLs that a replacement changes, with ordinary values for variables of the request; empty if none was found. */
export function replacedUrls(replacement: Replacement, rule: Rule, context: LintContext): readonly ReplacedUrl[] {
  const { from, to, action } = replacement;
  const template = ordinaryTarget(to.value);
  const isWhole = from === undefined && stringOfRole(action, 'url-pattern') === undefined;
  const replace = from ? replacing(from.value, template) : isWhole ? () => template : undefined;
  if (!replace || (from && !hasKnownPattern(replacement))) return [];
  const starts = startsOf(from ? matchOf(replacement) : '/tollgate-probe', rule, context);
  return starts.flatMap(before => {
    const after = absoluteUrl(replace(before), before);
    return after === undefined || after === before ? [] : [{ before, after }];
  });
}

/** A URL that an earlier replacement takes from a later one. */
interface TakenUrl {
  readonly url: string;
  /** What the earlier one makes of it. */
  readonly becomes: string;
}

/**
 * Returns a URL for which a later replacement is meant, and which an earlier one has changed before, so that the later one no longer
 * applies; undefined if the later one still applies to some URL that was tried.
 */
export function takenUrl(
  earlier: ActionReplacement,
  later: ActionReplacement,
  context: LintContext,
): TakenUrl | undefined {
  const [first, second] = [earlier, later].map(({ replacement: { from, to, references }, replacement }) => {
    const isFilledIn = references.some(({ kind }) => kind !== 'group') || to.value.includes('${');
    return from && !isFilledIn && hasKnownPattern(replacement) ? replacing(from.value, to.value) : undefined;
  });
  if (!first || !second) return undefined;
  const changed = startsOf(matchOf(later.replacement), later.rule, context).flatMap(url => {
    const own = absoluteUrl(second(url), url);
    return own === undefined || own === url ? [] : [{ url, becomes: absoluteUrl(first(url), url) }];
  });
  if (changed.length === 0) return undefined;
  const takes = conditionsOf(earlier.rule, later.rule, context);
  const isMeant = conditionsOf(later.rule, undefined, context);
  // A pattern that begins with a slash is not meant for a path that begins with two.
  const tried = changed.filter(({ url }) => isMeant(url) !== false && !/^https?:\/\/[^/]+\/\//.test(url));
  const isTaken = ({ url, becomes }: (typeof changed)[number]) =>
    becomes !== undefined && becomes !== url && takes(url) === true && (earlier.ends || second(becomes) === becomes);
  if (tried.length === 0 || !tried.every(isTaken)) return undefined;
  return { url: tried[0]!.url, becomes: tried[0]!.becomes! };
}

/** A replacement and the rule that it belongs to. */
export interface ActionReplacement {
  readonly rule: Rule;
  readonly replacement: Replacement;
  /** True if nothing runs after it when it changes the URL, as for a redirect. */
  readonly ends: boolean;
}

/** Returns whether the conditions of a rule hold for a URL; those that another rule shares are taken to hold. */
function conditionsOf(
  rule: Rule,
  shared: Rule | undefined,
  context: LintContext,
): (url: string) => ReturnType<UrlPredicate> {
  const own = rule.expressions.filter(({ source }) => !shared?.expressions.some(one => one.source === source));
  const conditions = own.map(one => conditionOf(one, rule, context).holds);
  return url => {
    const sample = { url, path: decodeURI(new URL(url).pathname) };
    const results = conditions.map(holds => holds(sample));
    if (results.includes(false)) return false;
    return results.every(one => one === true) ? true : 'undecided';
  };
}

/** Fills in variables for a request to the sample host and writes groups as `${1}`. */
function ordinaryTarget(to: string): string {
  return to
    .replaceAll(/\$\{(?!\d+\})[^}]*scheme[^}]*\}|\$scheme\b/g, 'https')
    .replaceAll(/\$\{(?!\d+\})[^}]*(?:host|authority)[^}]*\}|\$(?:host|authority)\b/g, 'app.example.com')
    .replaceAll(/\$\{(?!\d+\})[^}]*\}|\$(?:is_args|args|query_string|arg_\w+|is_user|user|port|uri)\b/g, '');
}

function hasKnownPattern(replacement: Replacement): boolean {
  return isPlainPattern(replacement.from!.value) || replacement.tree !== undefined;
}

/** Returns a string that the pattern probably matches. */
function matchOf(replacement: Replacement): string | undefined {
  const { value } = replacement.from!;
  return isPlainPattern(value) ? value : matchingText(replacement.tree!.root);
}

/** Returns a function that replaces every match of the pattern; undefined for invalid patterns, which the analysis reports. */
function replacing(pattern: string, template: string): ((url: string) => string) | undefined {
  if (isPlainPattern(pattern) && !template.includes('$')) return url => url.split(pattern).join(template);
  if (validatePattern(pattern)) return undefined;
  const find = findPattern(pattern);
  return url => replaceAll(url, find, template);
}

/** Returns true if the action neither ends the traffic nor changes its URL. */
function goesOn(action: Action): boolean {
  return terminationOf(action) === 'never' && !takesRole(action, 'url-replacement');
}

/** Steps for compiling and evaluating a condition. */
const CONDITION_STEPS = 400;

/** Returns a function that tells whether a request for a URL reaches the rule and matches it; undefined if that takes too much work. */
function arrival({ policy, rule }: ActionLocation, context: LintContext): ((url: string) => boolean) | undefined {
  const { work } = context.file;
  const { phases } = context.file.profile;
  const before = phases.slice(0, phases.indexOf(rule.phase)).flatMap(phase => policy.rules[phase]);
  const earlier = [...before, ...policy.rules[rule.phase].slice(0, rule.index)].filter(
    one => !one.actions.every(goesOn),
  );
  work.spend(earlier.length * CONDITION_STEPS);
  if (work.isSpent) {
    work.leaveOpen();
    return undefined;
  }
  const own = rule.expressions.map(one => conditionOf(one, rule, context));
  const others = earlier.map(one => one.expressions.map(expression => conditionOf(expression, one, context)));
  // Some client avoids the earlier rules about clients, unless this rule has conditions about the client too.
  const isAnybody = !own.some(({ isStable }) => isStable);
  return url => {
    const sample = { url, path: decodeURI(new URL(url).pathname) };
    const isLetThrough = others.every(all => all.some(one => (one.isStable ? isAnybody : one.holds(sample) === false)));
    return isLetThrough && own.every(({ isStable, holds }) => isStable || holds(sample) === true);
  };
}

interface Condition {
  /** True if the condition reads only inputs that do not change with the URL. */
  readonly isStable: boolean;
  readonly holds: UrlPredicate;
}

function conditionOf({ typed }: Expression, rule: Rule, context: LintContext): Condition {
  const { roles } = context.file;
  if (!typed) return { isStable: false, holds: () => 'undecided' };
  const tested = valueTestsIn(typed, roles).map(({ origin }) => origin.role);
  const inputs = [...tested, ...lookupsIn(typed, roles).map(({ role }) => role)];
  const isStable = inputs.length > 0 && inputs.every(role => STABLE.has(role));
  return { isStable, holds: urlPredicateOf({ typed, rule }, context) };
}

/** Returns URLs to try: what the pattern matches, and the paths that conditions name. */
function startsOf(text: string | undefined, { expressions }: Rule, { file }: LintContext): readonly string[] {
  const { roles } = file;
  const tests = expressions.flatMap(({ typed }) =>
    typed && mayRead(typed.ast.source, roles.words, ['path']) ? valueTestsIn(typed, roles) : [],
  );
  const paths = tests.flatMap(({ origin, literals }) =>
    origin.role === 'path' ? literals.flatMap(({ literal }) => (literal.type === 'string' ? [literal.value] : [])) : [],
  );
  const texts = [text ?? '', ...paths, ...paths.map(path => `${path}${text ?? ''}`)];
  return texts.flatMap(one => [one, ORIGIN + one, `${ORIGIN}/${one}`]).filter(isAbsoluteUrl);
}

const URL_REPLACEMENTS: FileAnalysis<(action: Action) => Replacement | undefined> = {
  compute: file => onceForEach(action => readReplacement(action, file.resultOf(PATTERN_TREES))),
};

/** Returns how an action replaces the URL or a part of it; undefined if it does not, or if its configuration is invalid. */
export function replacementOf(action: Action, file: LintedFile): Replacement | undefined {
  return file.resultOf(URL_REPLACEMENTS)(action);
}

/** Matches what may precede a host: nothing but a scheme. */
export const BEFORE_HOST = /^(?:(?:https?:|\$scheme:)?\/\/)?$/;

/** Returns true if an expression supplies the host of a redirect, in its target or in a Location header. */
export function isAtHost({ config, offset, action }: LintedExpression): boolean {
  if (!config || !action || !BEFORE_HOST.test(config.node.value.slice(0, Math.max(0, offset - 2)))) return false;
  const isTarget = fieldNamed(action.fact?.config, config.path[0]!)?.role === 'url-replacement' && isRedirect(action);
  return isTarget || config.path.at(-1)?.toLowerCase() === 'location';
}

/**
 * A URL that every client leaves as it is: nothing encoded, no port, no dots in the path. It avoids creating a `URL`, which costs as much
 * as the rest of the analysis of a redirect.
 */
const PLAIN_URL = /^https?:\/\/[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)*(\/[\w\-/:=&@,;~!+]*)?$/;

/** Prefix of encoded host labels, which may be invalid. */
const ENCODED_LABEL = 'xn--';

/** Returns true for an HTTP URL with a host and a path whose escapes all decode to ASCII. */
export function isAbsoluteUrl(url: string): boolean {
  if (isPlain(url)) return true;
  return /^https?:\/\/[\w.-]+(?:[/?]|$)/.test(url) && URL.canParse(url) && isDecodable(url);
}

/** Resolves a URL as a client does; undefined if it is invalid. */
export function absoluteUrl(url: string, base: string): string | undefined {
  if (isPlain(url)) return PLAIN_URL.exec(url)![1] === undefined ? `${url}/` : url;
  const resolved = URL.parse(url, base)?.href;
  return resolved !== undefined && isAbsoluteUrl(resolved) ? resolved : undefined;
}

/** Returns true if two absolute URLs have the same host and port. */
function haveSameHost(a: string, b: string): boolean {
  return hostOf(a) === hostOf(b);
}

/** Returns the host of an absolute URL, with its port. */
export function hostOf(url: string): string {
  if (!isPlain(url)) return new URL(url).host;
  const start = url.indexOf('://') + 3;
  const end = url.indexOf('/', start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

function isPlain(url: string): boolean {
  return PLAIN_URL.test(url) && !url.includes(ENCODED_LABEL);
}

function isDecodable(url: string): boolean {
  return !/%(?![0-9a-fA-F]{2})|%[89a-fA-F]/.test(url);
}
