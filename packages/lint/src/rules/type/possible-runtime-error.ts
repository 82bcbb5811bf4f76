import type { CallExpr, Expr } from '@tollgate/cel';
import type { LintContext } from '../../rule/lint-context.ts';
import type { LintRule } from '../../rule/lint-rule.ts';
import { type LintedExpression, placeOf, sourceOf } from '../../rule/linted-expression.ts';

/** `int(req.Params['n'][0]) > 5`. */
export const POSSIBLE_RUNTIME_ERROR: LintRule = {
  id: 'type/possible-runtime-error',
  severity: 'info',
  summary: 'an operation that ends in an error for some requests',
  rationale:
    'A division by zero, a number made of a text that is none, or the second part of a text that has one part is an error, and a condition that ' +
    'ends in an error does not match. Whoever sends the request decides whether that happens. Test the value before it is used.',
  bad: {
    policy: `\
inbound:
  - name: few pages
    expressions: ["'n' in req.Params && «int(req.Params['n'][0])» > 100"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: few pages
    expressions:
      - "'n' in req.Params && req.Params['n'].exists(n, n.matches('^[0-9]{1,9}$') && int(n) > 100)"
    actions: [{ type: deny }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['strict'],
  check: {
    calls: {
      '_/_': division,
      '_%_': division,
      int: conversion,
      uint: conversion,
      double: conversion,
      timestamp: conversion,
      duration: conversion,
      '_[_]': splitIndex,
    },
  },
};

function division(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [, divisor] = call.args;
  const kind = divisor && at.typed.types[divisor.id]?.kind;
  if (!divisor || divisor.kind === 'literal' || kind === 'double' || isTested(divisor, at)) return;
  report({ call, at, context }, `\`${sourceOf(at, divisor.range)}\` is 0 for some requests`);
}

function conversion(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [value] = call.args;
  if (!value || value.kind === 'literal' || at.typed.types[value.id]?.kind !== 'string' || isTested(value, at)) return;
  report(
    { call, at, context },
    `\`${sourceOf(at, value.range)}\` may be a text that no ${call.function} can be made of`,
  );
}

/** `x.split('/')[3]`. */
function splitIndex(call: CallExpr, at: LintedExpression, context: LintContext): void {
  const [list, index] = call.args;
  if (list?.kind !== 'call' || list.function !== 'split' || index?.kind !== 'literal') return;
  if (index.literal.value === 0 || isTested(list, at)) return;
  report({ call, at, context }, `\`${sourceOf(at, list.range)}\` has fewer parts for some requests`);
}

interface Place {
  readonly call: CallExpr;
  readonly at: LintedExpression;
  readonly context: LintContext;
}

function report({ call, at, context }: Place, why: string): void {
  const message = `${why}, which ends in an error; test it first`;
  context.report({ range: placeOf(at, call.range), message });
}

/** Whether what is used is mentioned elsewhere in the conditions of the rule: then it was thought of. */
function isTested(node: Expr, at: LintedExpression): boolean {
  const source = sourceOf(at, node.range);
  const all = at.rule.expressions.map(one => one.source);
  const mentions = all.reduce((sum, one) => sum + one.split(source).length - 1, 0);
  return mentions > 1;
}
