import type { AST } from '@eslint-community/regexpp';
import type { CallExpr, Expr } from '@tollgate/cel';
import type { LiteralTestKind } from '@tollgate/cel/tooling';
import type { Fix, Range } from '@tollgate/diagnostics';
import { accessOf, decides, setsHeader } from '../../analyses/access.ts';
import { listedLiterals } from '../../analyses/literals.ts';
import { patternTreeOf } from '../../analyses/patterns.ts';
import { matchingText } from '../../readers/pattern-tree.ts';
import { literalString } from '../../readers/source-nodes.ts';
import { originOf, type ValueOrigin } from '../../readers/value-origin.ts';
import { passes } from '../../readers/value-tests.ts';
import { literalFix, literalSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

/** Reports `req.Host.endsWith('example.com')`. */
export const SUFFIX_BOUNDARY: LintRule = {
  id: 'sec/suffix-boundary',
  severity: 'warning',
  summary: 'domain test that other domains pass',
  rationale:
    'Anyone can register `evilexample.com`, which ends with `example.com`, or create `example.com.evil.example`, which contains it. A ' +
    'test of a host or email address is safe only with a boundary: `@example.com` at the end of an address, `.example.com` at the end ' +
    'of a host, or the whole name.',
  bad: {
    policy: `\
on_http_request:
  - name: sign in
    actions: [{ type: oauth, config: { provider: google } }]
  - name: staff only
    expressions: ["!«actions.ngrok.oauth.identity.email.endsWith('example.com')»"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: sign in
    actions: [{ type: oauth, config: { provider: google } }]
  - name: staff only
    expressions: ["!actions.ngrok.oauth.identity.email.endsWith('@example.com')"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: {
    calls: {
      endsWith: (call, at, context) => checkTest(call, 'endsWith', at, context),
      startsWith: (call, at, context) => checkTest(call, 'startsWith', at, context),
      contains: (call, at, context) => checkTest(call, 'contains', at, context),
      matches: (call, at, context) => checkTest(call, 'matches', at, context),
      indexOf: (call, at, context) => checkTest(call, 'contains', at, context),
    },
  },
};

function checkTest(
  call: CallExpr,
  kind: Extract<LiteralTestKind, 'endsWith' | 'startsWith' | 'contains' | 'matches'>,
  at: LintedExpression,
  context: LintContext,
): void {
  const operand = call.target ?? call.args[0];
  const argument = call.target ? call.args[0] : call.args[1];
  if (!operand || !argument || !mayDecide(at)) return;
  const subject = subjectOf(operand, at, context);
  const access = at.role === 'condition' ? accessOf(at, { kind, isNegated: isNegated(call, at) }) : undefined;
  // Denying too much lets nobody in.
  if (subject === undefined || (access === 'refuses' && kind !== 'endsWith')) return;
  for (const { text, range } of literalsOf(argument, at)) {
    const tree = kind === 'matches' ? patternTreeOf(text, context.file)?.root : undefined;
    const foreign = foreignName(kind, text, subject, tree);
    if (!foreign) continue;
    context.report({
      range: range ?? rangeInDocument(at, call.range),
      message: `\`${foreign.example}\` also passes this test; ${remedy(foreign, subject, kind)}`,
      args: { found: text, example: foreign.example },
      fixes: range === undefined && kind === 'endsWith' ? boundaryFixes({ call, operand, argument }, at, subject) : [],
      ...(access === 'refuses' && { severity: 'info' }),
    });
    return;
  }
}

/** True for conditions of rules that decide about traffic, and for variables that such conditions may read. */
function mayDecide({ role, rule, action }: LintedExpression): boolean {
  return role === 'condition' ? decides(rule) : (action?.fact?.changes?.includes('vars') ?? false);
}

function isNegated(call: CallExpr, { analysis }: LintedExpression): boolean {
  return analysis.nodes.find(({ node }) => node.id === call.id)?.isNegated ?? false;
}

interface WrittenLiteral {
  readonly text: string;
  /** Its range in the document, if it is not an argument of the call. */
  readonly range?: Range;
}

function literalsOf(node: Expr, at: LintedExpression): readonly WrittenLiteral[] {
  const text = literalString(node);
  return text === undefined ? listedLiterals(node, at) : [{ text }];
}

const HOST_HEADERS = /^(?:host|x-forwarded-host|x-original-host|forwarded)$/i;
const ORIGIN_HEADERS = /^(?:origin|referer)$/i;
const MAIL_NAME = /e-?mail|\bupn\b/i;
const HOST_NAME = /host|domain|\bsni\b|dns_?names?|certcn|common_name|\bhd\b/i;
const URL_NAME = /ur[il]\b|redirect|return|callback|next|continue|referr?er|origin/i;

/** Returns what kind of value the domain is compared with; undefined for values without a domain, such as paths. */
function subjectOf(operand: Expr, at: LintedExpression, { file }: LintContext): DomainSubject | undefined {
  const origin = originOf(at.typed, file.roles, operand);
  switch (origin?.role) {
    case 'host':
      return 'host';
    case 'request-headers':
      return headerSubject(origin, at);
    case 'query-parameters':
    case 'request-cookies':
    case undefined:
      return namedSubject(origin ? `${origin.path} ${origin.name ?? ''}` : sourceOf(at, operand.range), origin);
    default:
      return undefined;
  }
}

function headerSubject({ name = '' }: ValueOrigin, { rule }: LintedExpression): DomainSubject | undefined {
  if (HOST_HEADERS.test(name)) return 'host';
  // `header/cors-reflect-origin` reports origins that may read responses.
  if (ORIGIN_HEADERS.test(name)) return setsHeader(rule.actions, 'access-control-allow-origin') ? undefined : 'origin';
  return namedSubject(name, undefined);
}

function namedSubject(name: string, origin: ValueOrigin | undefined): DomainSubject | undefined {
  if (MAIL_NAME.test(name)) return 'mail';
  if (HOST_NAME.test(name)) return 'host';
  if (URL_NAME.test(name)) return 'origin';
  return origin?.role === undefined ? 'any' : undefined;
}

function remedy({ domain }: ForeignName, subject: DomainSubject, kind: LiteralTestKind): string {
  if (kind === 'matches') return 'anchor the pattern with `^` and `$`, and match the character before the domain';
  switch (subject) {
    case 'mail':
      return `test that it ends with \`@${domain.includes('.') ? domain : 'your domain'}\``;
    case 'origin':
      return 'compare the whole origin';
    default:
      return `test that it equals \`${domain}\` or ends with \`.${domain}\``;
  }
}

function boundaryFixes(
  { call, operand, argument }: { readonly call: CallExpr; readonly operand: Expr; readonly argument: Expr },
  at: LintedExpression,
  subject: DomainSubject,
): readonly Fix[] {
  const domain = literalString(argument)!;
  if (subject === 'mail') return [literalFix(at, argument, { value: `@${domain}`, applicability: 'suggestion' })];
  if (subject !== 'host') return [];
  const source = sourceOf(at, operand.range);
  const quoted = sourceOf(at, argument.range);
  const newText = `(${source} == ${quoted} || ${source}.endsWith(${literalSource(quoted, `.${domain}`)}))`;
  const title = `test for \`${domain}\` and its subdomains`;
  return [sourceFix(at, call, { newText, title, applicability: 'suggestion' })];
}

/** What kind of string is searched for a domain. */
type DomainSubject = 'host' | 'mail' | 'origin' | 'any';

/** A name under somebody else's control that passes a test for a domain. */
interface ForeignName {
  readonly example: string;
  readonly domain: string;
}

/**
 * Returns a foreign name that passes the test; undefined if there is none or the literal contains no domain.
 *
 * @param tree the parsed pattern; undefined for other tests and for patterns that cannot be analysed
 */
function foreignName(
  kind: LiteralTestKind,
  literal: string,
  subject: DomainSubject,
  tree: AST.Pattern | undefined,
): ForeignName | undefined {
  const domains = kind === 'matches' ? domainsIn(tree) : [domainIn(literal)].filter(one => one !== undefined);
  for (const domain of domains) {
    const example = namesLike(domain, subject).find(name => passes(kind, literal, name));
    if (example !== undefined) return { example, domain };
  }
  return domains.length === 0 && kind === 'contains' && subject === 'mail' ? foreignMail(literal) : undefined;
}

function namesLike(domain: string, subject: DomainSubject): readonly string[] {
  const hosts = [`evil${domain}`, `${domain}.evil.example`, `x.${domain}.evil.example`];
  const mails = hosts.map(host => `eve@${host}`);
  switch (subject) {
    case 'host':
      return hosts;
    case 'mail':
      return mails;
    case 'origin':
      return hosts.flatMap(host => [`https://${host}`, `http://${host}`]);
    case 'any':
      return [...hosts, ...mails];
  }
}

/** The local part of a mail address, which anybody may use in theirs. */
function foreignMail(literal: string): ForeignName | undefined {
  const name = literal.replaceAll(/^@|[.]$/g, '');
  if (!/^[\w-]+$/.test(name)) return undefined;
  return { example: literal.startsWith('@') ? `eve@${name}.evil.example` : `${name}@evil.example`, domain: name };
}

const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*[a-z]$/i;

/** Returns the domain in a literal, without scheme, user or leading dot. */
function domainIn(literal: string): string | undefined {
  const name = literal
    .replace(/^https?:\/\//i, '')
    .replace(/^.*@/, '')
    .replace(/^\*?\./, '');
  return DOMAIN.test(name) ? name : undefined;
}

/** Returns the registrable domain of each alternative of a pattern. */
function domainsIn(tree: AST.Pattern | undefined): readonly string[] {
  const texts = (tree?.alternatives ?? []).map(one => matchingText({ alternatives: [one] }));
  return texts.flatMap(text => {
    const domain = text === undefined ? undefined : domainIn(text.replace(/[:/]*$/, ''));
    return domain === undefined ? [] : [registrable(domain)];
  });
}

/** Returns `example.com` for `shop.example.com`. A short label before a country code, as in `co.uk`, is part of the registry's suffix. */
function registrable(domain: string): string {
  const labels = domain.split('.');
  const isSecondLevel = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
  return labels.slice(isSecondLevel ? -3 : -2).join('.');
}
