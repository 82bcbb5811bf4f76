import type { Expr, TypedAst } from '@tollgate/cel';
import type { LiteralTestKind } from '@tollgate/cel/tooling';
import type { Fix, Range } from '@tollgate/diagnostics';
import { listedLiterals } from '../../analyses/literals.ts';
import { patternTreeOf } from '../../analyses/patterns.ts';
import { matchingText } from '../../readers/pattern-tree.ts';
import type { ProfileRoles } from '../../readers/profile-roles.ts';
import { asWritten, literalString } from '../../readers/source-nodes.ts';
import { originOf } from '../../readers/value-origin.ts';
import { passes } from '../../readers/value-tests.ts';
import { literalFix } from '../../rule-api/fixes.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { CallVisitor, LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Reports `req.Host.lowerAscii() == 'Example.com'`. */
export const CASE_MISMATCH: LintRule = {
  id: 'logic/case-mismatch',
  severity: 'warning',
  summary: 'string in one case compared with a literal in the other',
  rationale:
    'A string that was converted to lower case never equals or contains a literal with upper-case letters. The test is always false, ' +
    'or always true if negated, so the rule matches nothing or everything.',
  bad: {
    policy: `\
inbound:
  - name: no public preview
    expressions: ["req.Host.lowerAscii() == «'Preview.example.com'»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no public preview
    expressions: ["req.Host.lowerAscii() == 'preview.example.com'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended', 'security'],
  check: {
    calls: {
      '_==_': comparison,
      '_!=_': comparison,
      '@in': membership,
      startsWith: method,
      endsWith: method,
      contains: method,
      matches: method,
      indexOf: method,
    },
  },
};

function comparison(...[call, at, context]: Parameters<CallVisitor>): void {
  const [left, right] = call.args;
  if (left && right) {
    checkLiteral(left, right, '==', at, context);
    checkLiteral(right, left, '==', at, context);
  }
}

function membership(...[call, at, context]: Parameters<CallVisitor>): void {
  const [element, list] = call.args;
  if (!element || !list) return;
  if (list.kind !== 'list') checkLiteral(list, element, '==', at, context);
  else for (const literal of list.elements) checkLiteral(element, literal, 'in', at, context);
}

function method(...[call, at, context]: Parameters<CallVisitor>): void {
  const [literal] = call.args;
  const kind = call.function === 'matches' ? 'matches' : 'contains';
  if (call.target && literal) checkLiteral(call.target, literal, kind, at, context);
}

function checkLiteral(
  operand: Expr,
  literal: Expr,
  kind: LiteralTestKind,
  at: LintedExpression,
  context: LintContext,
): void {
  const text = literalString(literal);
  const { roles } = context.file;
  const letters = lettersOf(operand, at.typed, roles);
  if (letters === undefined) return;
  // `http/method-case` reports whole methods.
  if (kind !== 'contains' && kind !== 'matches' && originOf(at.typed, roles, operand)?.role === 'method') return;
  if (text === undefined) {
    for (const listed of listedLiterals(literal, at)) checkText({ ...listed, kind, letters, fix: undefined }, context);
    return;
  }
  const fix = (value: string) => [literalFix(at, literal, { value, applicability: 'unsafe' })];
  checkText({ text, range: rangeInDocument(at, literal.range), kind, letters, fix }, context);
}

interface CaseText {
  readonly text: string;
  readonly range: Range;
  readonly kind: LiteralTestKind;
  readonly letters: 'lower' | 'upper';
  readonly fix: ((value: string) => readonly Fix[]) | undefined;
}

function checkText({ text, range, kind, letters, fix }: CaseText, { file, report }: LintContext): void {
  const fitting = letters === 'lower' ? text.toLowerCase() : text.toUpperCase();
  if (fitting === text || (kind === 'matches' && !isImpossible(text, letters, file))) return;
  report({
    range,
    message: `\`${text}\` is compared with a string in ${letters} case, so the test is never true; write it in ${letters} case`,
    args: { found: text, case: letters },
    fixes: kind === 'matches' ? [] : (fix?.(fitting) ?? []),
  });
}

/** True if no string in that case matches: a matching string no longer matches once its case is changed. */
function isImpossible(pattern: string, letters: 'lower' | 'upper', file: LintContext['file']): boolean {
  const root = patternTreeOf(pattern, file)?.root;
  if (!root || /\(\?[a-z]*i/.test(pattern)) return false;
  const texts = root.alternatives.map(alternative => matchingText({ alternatives: [alternative] }));
  return texts.every(text => {
    if (text === undefined) return false;
    const changed = letters === 'lower' ? text.toLowerCase() : text.toUpperCase();
    return (
      changed !== text && passes('matches', pattern, text) === true && passes('matches', pattern, changed) === false
    );
  });
}

/** Methods that preserve the case of the letters. */
const CASE_PRESERVING: ReadonlySet<string> = new Set([
  'trim',
  'substring',
  'split',
  'reverse',
  'charAt',
  'slice',
  'filter',
  'distinct',
  'sort',
]);

/** Returns the case of all letters of a converted value; undefined for others. */
function lettersOf(expanded: Expr, typed: TypedAst, roles: ProfileRoles): 'lower' | 'upper' | undefined {
  const node = asWritten(typed.ast, expanded);
  if (node.kind === 'ident') {
    const reference = typed.references[node.id];
    const list = reference?.kind === 'local' ? typed.ast.macroCalls.get(reference.scope)?.target : undefined;
    const converted = list && lettersOf(list, typed, roles);
    if (converted !== undefined) return converted;
    const letters = originOf(typed, roles, node)?.letters;
    return letters === 'as-is' ? undefined : letters;
  }
  if (node.kind !== 'call') return undefined;
  if (/^lower(?:Ascii)?$/.test(node.function)) return 'lower';
  if (/^upper(?:Ascii)?$/.test(node.function)) return 'upper';
  // `x.map(v, v.lower())`
  if (node.function === 'map' && node.args.length === 2) return lettersOf(node.args[1]!, typed, roles);
  if (node.function === '_[_]' && node.args[0]) return lettersOf(node.args[0], typed, roles);
  return node.target && CASE_PRESERVING.has(node.function) ? lettersOf(node.target, typed, roles) : undefined;
}
