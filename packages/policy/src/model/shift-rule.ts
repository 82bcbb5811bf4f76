import type { Diagnostic, Fix } from '@tollgate/diagnostics';
import type { DocumentNode } from '../document/document-node.ts';
import type { MappedText } from '../document/mapped-text.ts';
import { shiftMap, shiftRange, shiftText } from '../document/shift-node.ts';
import type { Action, EmbeddedExpression, Expression, Rule, Written } from './policy.ts';
import type { RuleReading } from './read-policy.ts';

/** What was read of a rule, with its places elsewhere in the document. */
export function shiftReading({ phase, range, rule, findings }: RuleReading, by: number): RuleReading {
  return {
    phase,
    range: shiftRange(range, by),
    rule: rule && shiftRule(rule, by),
    findings: findings.map(finding => shiftDiagnostic(finding, by)),
  };
}

/** A diagnostic all of whose places are elsewhere in the document. */
export function shiftDiagnostic(diagnostic: Diagnostic, by: number): Diagnostic {
  const { range, related, fixes } = diagnostic;
  return {
    ...diagnostic,
    range: shiftRange(range, by),
    ...(related && { related: related.map(one => ({ ...one, range: shiftRange(one.range, by) })) }),
    ...(fixes && { fixes: fixes.map(fix => shiftFix(fix, by)) }),
  };
}

function shiftFix(fix: Fix, by: number): Fix {
  return { ...fix, edits: fix.edits.map(edit => ({ ...edit, range: shiftRange(edit.range, by) })) };
}

function shiftRule({ phase, index, name, range, expressions, actions }: Rule, by: number): Rule {
  return {
    phase,
    index,
    name: name && shiftWritten(name, by),
    range: shiftRange(range, by),
    expressions: expressions.map(expression => shiftExpression(expression, by)),
    actions: actions.map(action => shiftAction(action, by)),
  };
}

function shiftWritten({ value, range }: Written, by: number): Written {
  return { value, range: shiftRange(range, by) };
}

/** The tree of an expression has places of its own, in the expression's text. */
function shiftExpression({ source, range, text, typed }: Expression, by: number): Expression {
  return { source, range: shiftRange(range, by), text: shiftText(text, by), typed };
}

function shiftAction({ type, range, fact, config, configNode, expressions }: Action, by: number): Action {
  const shifted = configNode && shiftMap(configNode, by);
  return {
    type: shiftWritten(type, by),
    range: shiftRange(range, by),
    fact,
    config,
    configNode: shifted,
    expressions: expressions.length === 0 ? expressions : inTexts(expressions, textsIn(configNode), textsIn(shifted)),
  };
}

/** The expressions with the texts of the shifted configuration, which stand in the same order. */
function inTexts(
  expressions: readonly EmbeddedExpression[],
  before: readonly MappedText[],
  after: readonly MappedText[],
): readonly EmbeddedExpression[] {
  return expressions.map(one => ({ ...one, text: after[before.indexOf(one.text)]! }));
}

function textsIn(node: DocumentNode | undefined): readonly MappedText[] {
  if (node?.kind === 'scalar') return node.text ? [node.text] : [];
  if (node?.kind === 'list') return node.items.flatMap(textsIn);
  return node?.kind === 'map' ? node.entries.flatMap(({ value }) => textsIn(value)) : [];
}
