import type { CallExpr, Expr } from '../ast/ast.ts';
import { add, atMost, type CostRange, exactly, multiply } from './cost-range.ts';
import type { Size } from './size.ts';

/** The sizes of a call's operands, the target first, and the operands themselves. */
interface Operands {
  readonly sizes: readonly Size[];
  readonly nodes: readonly Expr[];
}

/** Returns the size of the result of a library function, by overload id; undefined if it is not known. */
export function resultSize(overloadId: string, operands: Operands): Size | undefined {
  return (RESULT_SIZES.get(overloadId) ?? RESULT_SIZES.get(overloadId.replace(/^list_.*_sort/, 'list_*_sort')))?.(
    operands,
  );
}

type ResultSize = (operands: Operands) => Size | undefined;

const ONE = exactly(1);
const UNBOUNDED: CostRange = { min: 0, max: Number.POSITIVE_INFINITY };

function own({ sizes }: Operands, operand: number): CostRange {
  return sizes[operand]?.own ?? UNBOUNDED;
}

function elementOf({ sizes }: Operands): Size {
  return sizes[0]?.element ?? { own: UNBOUNDED };
}

/** As large as the first operand. */
const same: ResultSize = ({ sizes }) => sizes[0];

/** At most as large as the first operand. */
const part: ResultSize = operands => ({ ...operands.sizes[0], own: atMost(own(operands, 0)) });

/** At most the given multiple of the first operand, plus a constant. */
function grown(times: number, more: number): ResultSize {
  return operands => ({ own: atMost(add(multiply(own(operands, 0), exactly(times)), exactly(more))) });
}

const range: ResultSize = ({ nodes: [size] }) => {
  const value = size?.kind === 'literal' ? Number(size.literal.value) : undefined;
  return value === undefined ? undefined : { own: exactly(Math.max(0, value)), element: { own: ONE } };
};

/** The separator is inserted before at most every character. */
const replace: ResultSize = operands => ({
  own: atMost(add(own(operands, 0), multiply(add(own(operands, 0), ONE), own(operands, 2)))),
});

const split: ResultSize = operands => ({
  own: atMost(add(own(operands, 0), ONE)),
  element: { own: atMost(own(operands, 0)) },
});

const join: ResultSize = operands => {
  const separator = operands.sizes.length > 1 ? own(operands, 1) : exactly(0);
  return { own: multiply(own(operands, 0), add(elementOf(operands).own, separator)) };
};

/** Removes one level of lists; other elements stay. */
const flatten: ResultSize = operands => {
  const element = elementOf(operands);
  return { own: atMost(multiply(own(operands, 0), element.own)), ...(element.element && { element: element.element }) };
};

const RESULT_SIZES: ReadonlyMap<string, ResultSize> = new Map<string, ResultSize>([
  ['lists_range', range],
  ['list_reverse', same],
  ['list_*_sort', same],
  ['list_*_sortByAssociatedKeys', same],
  ['list_distinct', part],
  ['list_slice', part],
  ['list_flatten', flatten],
  ['list_join', join],
  ['list_join_string', join],
  ['string_split_string', split],
  ['string_split_string_int', split],
  ['string_replace_string_string', replace],
  ['string_replace_string_string_int', replace],
  ['string_lower_ascii', same],
  ['string_upper_ascii', same],
  ['string_reverse', same],
  ['string_to_string', same],
  ['string_trim', part],
  ['string_substring_int', part],
  ['string_substring_int_int', part],
  ['string_char_at_int', () => ({ own: atMost(ONE) })],
  ['bytes_to_string', part],
  ['string_to_bytes', grown(4, 0)],
  ['strings_quote', grown(2, 2)],
  ['base64_encode_bytes', grown(2, 4)],
  ['base64_decode_string', part],
  ...['bool', 'int64', 'uint64', 'double', 'timestamp', 'duration'].map(
    kind => [`${kind}_to_string`, () => ({ own: { min: 1, max: 40 } })] as const,
  ),
]);

/** Returns the operands of a call, the target first unless it is part of the function's name. */
export function operandNodesOf(call: CallExpr, isMember: boolean): readonly Expr[] {
  return call.target === undefined || !isMember ? call.args : [call.target, ...call.args];
}
