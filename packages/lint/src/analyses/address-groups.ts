// Address ranges that belong together, in expressions and in configurations.

import type { CidrRange, Expr } from '@tollgate/cel';
import { parseCidr, parseIp } from '@tollgate/cel/tooling';
import type { Fix, Range } from '@tollgate/diagnostics';
import { type Action, type ListNode, removeItems, replaceScalar } from '@tollgate/policy';
import { entryOfRole, stringsIn } from '../readers/actions.ts';
import { literalFix } from '../rule-api/fixes.ts';
import type { LintContext } from '../rule-api/lint-context.ts';
import type { Visitor } from '../rule-api/lint-rule.ts';
import { editsOf, type LintedExpression, rangeInDocument } from '../rule-api/linted-expression.ts';

/** An address range in the document, with the edits that replace it. */
export interface RangeLiteral {
  readonly text: string;
  /** Undefined if the string is not a range. */
  readonly range: CidrRange | undefined;
  /** True for an address without a prefix length. */
  readonly isAddress: boolean;
  readonly place: Range;
  readonly replace: (value: string) => Fix['edits'];
  /** Undefined if the group would be empty. */
  readonly remove: (() => Fix['edits']) | undefined;
}

/** Ranges that are tested together: an address in any of them belongs to the group. */
export interface AddressGroup {
  /** `test` in a condition, where ranges have prefix lengths. */
  readonly purpose: 'test' | 'allow' | 'deny';
  readonly ranges: readonly RangeLiteral[];
  /** True below an odd number of negations. */
  readonly isNegated: boolean;
  readonly place: Range;
}

/** Returns the groups of literal ranges in an expression. */
export function groupsInExpression(at: LintedExpression): readonly AddressGroup[] {
  return at.analysis.rangeArguments.map(({ node, isNegated }) => groupOf(at, node, isNegated));
}

function groupOf(at: LintedExpression, argument: Expr, isNegated: boolean): AddressGroup {
  const elements = argument.kind === 'list' ? argument.elements : [argument];
  const ranges = elements.flatMap((node, index) => {
    if (node.kind !== 'literal' || node.literal.type !== 'string') return [];
    const isOnly = argument.kind !== 'list' || elements.length === 1;
    return rangeLiteral(node.literal.value, {
      place: rangeInDocument(at, node.range),
      replace: value => literalFix(at, node, { value, applicability: 'safe' }).edits,
      remove: isOnly ? undefined : () => editsOf(at, [{ range: elementRange(elements, index), newText: '' }]),
    });
  });
  return { purpose: 'test', ranges, isNegated, place: rangeInDocument(at, argument.range) };
}

/** Returns the range of an element, including its comma. */
function elementRange(elements: readonly Expr[], index: number): Range {
  const own = elements[index]!.range;
  const next = elements[index + 1];
  return next ? { start: own.start, end: next.range.start } : { start: elements[index - 1]!.range.end, end: own.end };
}

/** Returns the lists of ranges in the configuration of an action, without interpolated ones. */
export function groupsInAction(action: Action, document: string): readonly AddressGroup[] {
  return PURPOSES.flatMap(([role, purpose]) => {
    const list = entryOfRole(action, role)?.value;
    if (list?.kind !== 'list') return [];
    return [{ purpose, ranges: rangesIn(list, document), isNegated: false, place: list.range }];
  });
}

const PURPOSES = [
  ['allowed-addresses', 'allow'],
  ['denied-addresses', 'deny'],
] as const;

function rangesIn(list: ListNode, document: string): readonly RangeLiteral[] {
  return stringsIn(list).flatMap(({ value, node, place }) => {
    if (value.includes('${') || !node.text) return [];
    const { text } = node;
    return rangeLiteral(value, {
      place,
      replace: newText => replaceScalar(document, text, newText),
      remove: list.items.length === 1 ? undefined : () => removeItems(document, list, [node]).filter(edit => !!edit),
    });
  });
}

function rangeLiteral(text: string, where: Pick<RangeLiteral, 'place' | 'replace' | 'remove'>): RangeLiteral {
  const bits = parseIp(text)?.bytes.length;
  const range = parseCidr(bits === undefined ? text : `${text}/${bits * 8}`);
  return { text, range, isAddress: bits !== undefined, ...where };
}

/** Returns a visitor for every group of address ranges in conditions and configurations. */
export function checkGroups(check: (group: AddressGroup, context: LintContext) => void): Visitor {
  return {
    expression: (at, context) => {
      for (const group of groupsInExpression(at)) check(group, context);
    },
    action: (action, _, context) => {
      for (const group of groupsInAction(action, context.file.source.text)) check(group, context);
    },
  };
}
