// Visitors for the literals that inputs are compared with.

import type { ValueRole } from '@tollgate/catalog';
import type { Expr } from '@tollgate/cel';
import type { Fix, Range } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { configNodeAt, stringsIn } from '../readers/actions.ts';
import { literalString, variablePath } from '../readers/source-nodes.ts';
import { isEquality, type StringLiteral, stringLiteralsOf, type ValueTest } from '../readers/value-tests.ts';
import { literalFix } from '../rule-api/fixes.ts';
import type { LintContext, LintFinding } from '../rule-api/lint-context.ts';
import type { Visitor } from '../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument } from '../rule-api/linted-expression.ts';

/** A string literal that an input is tested against, and where it is. */
interface TestedLiteral extends StringLiteral {
  readonly at: LintedExpression;
  readonly context: LintContext;
}

/** What is wrong with a literal. By default, the finding marks the literal and has it and the suggestion as `args`. */
interface LiteralProblem extends Partial<LintFinding> {
  readonly message: string;
  /** What to write instead; offered as a fix unless there are others. */
  readonly suggestion?: string | undefined;
  /** Of the fix; `unsafe` when absent. */
  readonly applicability?: Fix['applicability'];
}

/** Returns a visitor that reports the problem of each string literal in tests of inputs that have one of the roles. */
export function checkLiterals(
  roles: readonly ValueRole[],
  problemOf: (literal: TestedLiteral) => LiteralProblem | undefined,
  isRelevant: (test: ValueTest, at: LintedExpression) => boolean = () => true,
): Pick<Required<Visitor>, 'expression'> {
  return {
    expression: (at, context) => {
      for (const literal of stringLiteralsOf(at.analysis.testsOf(...roles))) {
        const problem = isRelevant(literal.test, at) ? problemOf({ ...literal, at, context }) : undefined;
        if (problem) context.report(findingOf(literal, problem, at));
      }
    },
  };
}

function findingOf({ node, text }: StringLiteral, problem: LiteralProblem, at: LintedExpression): LintFinding {
  const { suggestion: value, applicability = 'unsafe', ...finding } = problem;
  return {
    range: rangeInDocument(at, node.range),
    args: { found: text, ...(value !== undefined && { suggestion: value }) },
    ...(value !== undefined && { fixes: [literalFix(at, node, { value, applicability })] }),
    ...finding,
  };
}

/** Returns a visitor that reports literals that differ from a known upper-case value only in case, and so never equal it. */
export function checkCase(role: ValueRole, isKnown: (upperCase: string) => boolean, noun: string) {
  return checkLiterals(
    [role],
    ({ text, test }) => {
      const isLower = test.origin.letters === 'lower';
      const suggestion = isLower ? text.toLowerCase() : text.toUpperCase();
      if (text === suggestion || !isKnown(text.toUpperCase())) return undefined;
      const expected = isLower ? 'lower case after `lowerAscii()`' : 'upper case';
      const message = `\`${text}\` never equals ${noun}: the value compared is in ${expected}; write \`${suggestion}\``;
      return { message, suggestion };
    },
    isEquality,
  );
}

/** A string in a list, with its range in the document. */
interface ListedLiteral {
  readonly text: string;
  readonly range: Range;
}

/**
 * Returns the strings that a loop variable stands for: `['a', 'b'].exists(v, …)`, or `vars.names.exists(v, …)` for a list that the policy
 * sets.
 */
export function listedLiterals(node: Expr, at: LintedExpression): readonly ListedLiteral[] {
  const reference = at.typed.references[node.id];
  const loop = reference?.kind === 'local' ? at.typed.ast.macroCalls.get(reference.scope) : undefined;
  const list = loop?.target;
  if (!list) return [];
  if (list.kind === 'list')
    return list.elements.flatMap(element => {
      const text = literalString(element);
      return text === undefined ? [] : [{ text, range: rangeInDocument(at, element.range) }];
    });
  const path = variablePath(at.typed, list);
  return path?.startsWith('vars.') ? listOfVariable(path.slice('vars.'.length), at.policy) : [];
}

/** Returns the strings of the lists that actions assign to a variable. */
function listOfVariable(name: string, { rules }: Policy): readonly ListedLiteral[] {
  const actions = Object.values(rules).flatMap(list => list.flatMap(rule => rule.actions));
  return actions.flatMap(action => {
    const vars = action.fact?.changes?.includes('vars') ? configNodeAt(action, 'vars') : undefined;
    const maps = vars?.kind === 'list' ? vars.items : [];
    return maps.flatMap(map => {
      const entry = map.kind === 'map' ? map.entries.find(one => one.key === name) : undefined;
      return stringsIn(entry?.value).map(({ value, place }) => ({ text: value, range: place }));
    });
  });
}
