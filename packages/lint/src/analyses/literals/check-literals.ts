import type { ValueRole } from '@tollgate/catalog';
import type { Fix } from '@tollgate/diagnostics';
import { isEquality, type StringLiteral, stringLiteralsOf, type ValueTest } from '../../expressions/value-tests.ts';
import { literalFix } from '../../fixes/literal-fix.ts';
import type { LintContext, LintFinding } from '../../rule-api/lint-context.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';
import type { Visitor } from '../../rule-api/visitor.ts';

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
