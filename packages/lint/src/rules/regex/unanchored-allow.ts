import type { AST } from '@eslint-community/regexpp';
import type { ValueRole } from '@tollgate/catalog';
import type { Fix } from '@tollgate/diagnostics';
import { accessOf } from '../../analyses/access.ts';
import { checkPatterns, type PatternUse, patternTreeOf } from '../../analyses/patterns.ts';
import { originOf } from '../../readers/value-origin.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `!req.Path.matches('/public/')` in a rule that denies. */
export const UNANCHORED_ALLOW: LintRule = {
  id: 'regex/unanchored-allow',
  severity: 'warning',
  summary: 'unanchored pattern in an allow rule',
  rationale:
    '`matches` succeeds if the pattern occurs anywhere in the value. A rule that allows `/public/` also allows `/admin/public/`, and ' +
    'one that allows `^/(css|js)` also allows `/js-admin`. With the flag `m`, `^` and `$` match at every line break in the value. ' +
    'Start a pattern that grants access with `^`, and end it with `$` or at a boundary such as `/`.',
  bad: {
    policy: `\
inbound:
  - name: known tenants only
    expressions: ["!getReqHeader('X-Tenant').all(tenant, tenant.matches('«acme|globex»'))"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: known tenants only
    expressions: ["!getReqHeader('X-Tenant').all(tenant, tenant.matches('^(?:acme|globex)$'))"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: checkPatterns((use, context) => {
    const problem = grantsAccess(use, context) ? problemOf(use.pattern, context) : undefined;
    if (problem === undefined) return;
    context.report({
      range: use.rangeOf({ start: 0, end: use.pattern.length }),
      message: problem.message,
      args: { found: use.pattern },
      fixes: anchoring(use, problem),
    });
  }),
};

/** Inputs from a closed list of values, and inputs that are searched for words. */
const OTHER: ReadonlySet<ValueRole | undefined> = new Set<ValueRole>([
  ...(['user-agent', 'country-code', 'tls-version', 'numeric-string', 'query', 'address-categories'] as const),
]);
const WORDY_HEADERS = /^(?:user-agent|accept.*|content-type|via|cookie)$/i;

function grantsAccess({ call }: PatternUse, { file }: LintContext): boolean {
  if (call?.at.role !== 'condition') return false;
  const { node, at } = call;
  const isNegated = at.analysis.nodes.find(({ node: { id } }) => id === node.id)?.isNegated ?? false;
  if (accessOf(at, { kind: 'matches', isNegated }) !== 'spares') return false;
  const subject = node.target ?? node.args[0]!;
  const origin = originOf(at.typed, file.roles, subject);
  return !OTHER.has(origin?.role) && !WORDY_HEADERS.test(origin?.name ?? '');
}

interface Problem {
  readonly message: string;
  readonly start: boolean;
  readonly end: boolean;
  /** True if the pattern has a single alternative. */
  readonly isOne: boolean;
}

const FLAGS = /^\(\?[a-zA-Z]+\)/;

function problemOf(pattern: string, { file }: LintContext): Problem | undefined {
  if (/\(\?[a-ln-z]*m[a-z]*[:)-]/i.test(pattern) && /[\^$]/.test(pattern)) {
    const message = 'with the flag `m`, `^` and `$` match at every line, so multi-line values pass; remove the flag';
    return { message, start: false, end: false, isOne: true };
  }
  // `\A` and `\z` are RE2 anchors that JavaScript lacks. Positions in this tree are not used.
  const tree = patternTreeOf(pattern.replaceAll('\\A', '^').replaceAll('\\z', '$'), file);
  if (!tree) return undefined;
  const start = !isAnchored(tree.root.alternatives, 'start');
  const end = !isAnchored(tree.root.alternatives, 'end');
  if (!start && !end) return undefined;
  const where =
    start && end ? 'anywhere in the value' : start ? 'at the end of any value' : 'at the start of any value';
  const anchors = start && end ? '`^` and `$`' : start ? '`^`' : '`$`';
  return {
    message: `pattern matches ${where}, so unintended values pass; anchor it with ${anchors}`,
    start,
    end,
    isOne: tree.root.alternatives.length === 1,
  };
}

/** True if every alternative starts (or ends) at an anchor or a boundary, or is open on purpose. */
function isAnchored(alternatives: readonly AST.Alternative[], side: 'start' | 'end'): boolean {
  return alternatives.every(({ elements }) => {
    const element = elements.at(side === 'start' ? 0 : -1);
    return element !== undefined && isEdge(element, side);
  });
}

function isEdge(element: AST.Element, side: 'start' | 'end'): boolean {
  switch (element.type) {
    case 'Assertion':
      return element.kind === side;
    case 'Group':
    case 'CapturingGroup':
      return isAnchored(element.alternatives, side);
    case 'Character':
      return isBoundary(String.fromCodePoint(element.value), side);
    case 'Quantifier':
      return (
        side === 'end' &&
        (element.max === Number.POSITIVE_INFINITY ? isOpen(element.element) : isEdge(element.element, side))
      );
    default:
      return false;
  }
}

/** True for characters that end a path segment or an authentication scheme; at the start only for the dot of a file extension. */
function isBoundary(character: string, side: 'start' | 'end'): boolean {
  return side === 'end' ? /[/?#:=\s-]/.test(character) : character === '.';
}

/** True for `.*`, which allows anything on purpose. */
function isOpen(element: AST.Element): boolean {
  return element.type === 'CharacterSet' && element.kind === 'any';
}

function anchoring({ pattern, edit }: PatternUse, { start, end, isOne }: Problem): readonly Fix[] {
  if (!start && !end) return [];
  const flags = FLAGS.exec(pattern)?.[0].length ?? 0;
  const inner = pattern.slice(flags);
  const bare = isOne ? inner : `(?:${inner})`;
  const edits = edit([{ start: flags, end: pattern.length }], `${start ? '^' : ''}${bare}${end ? '$' : ''}`);
  return edits.length > 0 ? [{ title: 'anchor the pattern', applicability: 'suggestion', edits }] : [];
}
