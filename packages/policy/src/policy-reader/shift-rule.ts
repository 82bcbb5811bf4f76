import type { Diagnostic, Fix } from '@tollgate/diagnostics';
import type { DocumentNode } from '../document/model/document-node.ts';
import type { MappedText } from '../document/model/mapped-text.ts';
import { type Shift, shiftMap, shiftNode, shiftRange, shiftString } from '../document/model/shift-node.ts';
import type { Action, EmbeddedExpression, Expression, Rule, Written } from '../model/policy.ts';
import type { RuleWithDiagnostics } from './read-policy.ts';

/** Returns a rule and its diagnostics with their ranges shifted. */
export function shiftReading(
  { phase, range, node, rule, findings }: RuleWithDiagnostics,
  shift: Shift,
): RuleWithDiagnostics {
  return {
    phase,
    range: shiftRange(range, shift),
    node: shiftNode(node, shift),
    rule: rule && shiftRule(rule, shift),
    findings: findings.map(finding => shiftDiagnostic(finding, shift)),
  };
}

/** Returns a diagnostic with all its ranges shifted. */
export function shiftDiagnostic(diagnostic: Diagnostic, shift: Shift): Diagnostic {
  const { range, related, fixes } = diagnostic;
  return {
    ...diagnostic,
    range: shiftRange(range, shift),
    ...(related && { related: related.map(one => ({ ...one, range: shiftRange(one.range, shift) })) }),
    ...(fixes && { fixes: fixes.map(fix => shiftFix(fix, shift)) }),
  };
}

function shiftFix(fix: Fix, shift: Shift): Fix {
  return { ...fix, edits: fix.edits.map(edit => ({ ...edit, range: shiftRange(edit.range, shift) })) };
}

function shiftRule({ phase, index, name, range, expressions, actions }: Rule, shift: Shift): Rule {
  return {
    phase,
    index,
    name: name && shiftWritten(name, shift),
    range: shiftRange(range, shift),
    expressions: expressions.map(expression => shiftExpression(expression, shift)),
    actions: actions.map(action => shiftAction(action, shift)),
  };
}

function shiftWritten({ value, range }: Written, shift: Shift): Written {
  return { value, range: shiftRange(range, shift) };
}

/** The tree is unchanged: its ranges are relative to the expression. */
function shiftExpression({ source, range, text, typed }: Expression, shift: Shift): Expression {
  return { source, range: shiftRange(range, shift), text: shiftString(text, shift), typed };
}

function shiftAction({ type, range, fact, config, configNode, expressions }: Action, shift: Shift): Action {
  const shifted = configNode && shiftMap(configNode, shift);
  return {
    type: shiftWritten(type, shift),
    range: shiftRange(range, shift),
    fact,
    config,
    configNode: shifted,
    expressions: expressions.length === 0 ? expressions : inTexts(expressions, textsIn(configNode), textsIn(shifted)),
  };
}

/** Returns the expressions with the strings of the shifted configuration, which are in the same order. */
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
