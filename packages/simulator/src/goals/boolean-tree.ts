/**
 * The condition of a rule as a tree over its atoms, in the three values of CEL, and which atoms decide it: masking MC/DC as a boolean
 * derivative. An atom decides if the rule would do something else with the other value of the atom, all others at the values that they have;
 * those that a short circuit skips have one, too, since expressions have no effects. Like the condition coverage of GCC 14 (arXiv 2501.02133),
 * this needs no pairs of tests.
 */
import type { Expr } from '@tollgate/cel';

/** The value of a condition. */
export type Truth = 'true' | 'false' | 'fails';

/** A condition over atoms, which are numbered from left to right. */
export type BooleanTree =
  | { readonly kind: 'atom'; readonly index: number }
  | { readonly kind: 'not'; readonly operand: BooleanTree }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly BooleanTree[] }
  | {
      readonly kind: 'choice';
      readonly condition: BooleanTree;
      readonly yes: BooleanTree;
      readonly no: BooleanTree;
    };

/** Returns the tree of an expression; `atom` is called for each of its largest parts without boolean operators, in order. */
export function booleanTree(expr: Expr, atom: (expr: Expr) => number): BooleanTree {
  if (expr.kind !== 'call') return { kind: 'atom', index: atom(expr) };
  const inner = (part: Expr) => booleanTree(part, atom);
  switch (expr.function) {
    case '_&&_':
      return { kind: 'and', operands: expr.args.map(inner) };
    case '_||_':
      return { kind: 'or', operands: expr.args.map(inner) };
    case '!_':
      return { kind: 'not', operand: inner(expr.args[0]!) };
    case '_?_:_': {
      const [condition, yes, no] = expr.args.map(inner);
      return { kind: 'choice', condition: condition!, yes: yes!, no: no! };
    }
    default:
      return { kind: 'atom', index: atom(expr) };
  }
}

/** Returns the value of a tree by the CEL specification: `&&` and `||` absorb errors, and `?:` reads only the branch that is chosen. */
function truthOf(tree: BooleanTree, valueAt: (atom: number) => Truth): Truth {
  switch (tree.kind) {
    case 'atom':
      return valueAt(tree.index);
    case 'not':
      return negated(truthOf(tree.operand, valueAt));
    case 'and':
    case 'or': {
      const absorbing = tree.kind === 'and' ? 'false' : 'true';
      let result = negated(absorbing);
      for (const operand of tree.operands) {
        const value = truthOf(operand, valueAt);
        if (value === absorbing) return absorbing;
        if (value === 'fails') result = 'fails';
      }
      return result;
    }
    case 'choice': {
      const condition = truthOf(tree.condition, valueAt);
      return condition === 'fails' ? 'fails' : truthOf(condition === 'true' ? tree.yes : tree.no, valueAt);
    }
  }
}

function negated(value: Truth): Truth {
  if (value === 'fails') return 'fails';
  return value === 'true' ? 'false' : 'true';
}

/** The condition of a rule: expressions that are joined by *and*. */
export interface RuleDecision {
  readonly expressions: readonly BooleanTree[];
  readonly atoms: number;
  /** Whether an error is something else than not matching, because it fails the request. */
  readonly failuresCount: boolean;
  /** The atoms that are drawn at random. */
  readonly random: ReadonlySet<number>;
}

/** What the values of atoms show about a rule that is reached. */
interface Shown {
  readonly result: Truth;
  /** The expression that fails first, all earlier ones being true. */
  readonly failing: number | undefined;
  /** The atoms that decide. */
  readonly deciding: readonly number[];
}

/** Returns what values show. Takes time linear in the product of the atoms and the tree. */
function shownBy({ expressions, atoms, failuresCount }: RuleDecision, values: readonly Truth[]): Shown {
  const whole: BooleanTree = { kind: 'and', operands: expressions };
  const effect = (atom: number, value: Truth): Truth => {
    const result = truthOf(whole, one => (one === atom ? value : values[one]!));
    return result === 'fails' && !failuresCount ? 'false' : result;
  };
  const deciding: number[] = [];
  for (let atom = 0; atom < atoms; atom++)
    if (values[atom] !== 'fails' && effect(atom, 'true') !== effect(atom, 'false')) deciding.push(atom);
  const each = expressions.map(one => truthOf(one, atom => values[atom]!));
  const first = each.findIndex(value => value !== 'true');
  const failing = first >= 0 && each[first] === 'fails' ? first : undefined;
  return { result: truthOf(whole, atom => values[atom]!), failing, deciding };
}

/** Larger numbers of unknown atoms show nothing: there are too many combinations. */
const MAX_UNKNOWN = 6;

const TRUTHS: readonly Truth[] = ['true', 'false', 'fails'];

/**
 * Returns what values show whatever the unknown ones are: tests that state little must not show more. Unknown atoms have the value that follows from
 * the result, if only one does, and decide nothing otherwise. Next to what is drawn at random, an atom decides if it does for some number.
 * @param results what the condition may be, as far as that is known
 */
export function shownByAll(
  decision: RuleDecision,
  given: readonly (Truth | undefined)[],
  results?: readonly Truth[],
): Partial<Shown> & Pick<Shown, 'deciding'> & { readonly values: readonly (Truth | undefined)[] } {
  const unknown = given.flatMap((value, atom) => (value === undefined ? [atom] : []));
  if (unknown.length > MAX_UNKNOWN) return { deciding: [], values: given };
  const possible = unknown
    .reduce<readonly (readonly (Truth | undefined)[])[]>(
      (found, atom) => found.flatMap(one => TRUTHS.map(value => one.with(atom, value))),
      [given],
    )
    .map(values => ({ values, ...shownBy(decision, values as readonly Truth[]) }));
  const consistent = possible.filter(one => results?.includes(one.result) !== false);
  const all = consistent.length === 0 ? possible : consistent;
  const [first, ...others] = all;
  const values = given.map((_, atom) =>
    others.every(one => one.values[atom] === first!.values[atom]) ? first!.values[atom] : undefined,
  );
  const same = <Key extends 'result' | 'failing'>(key: Key) =>
    others.every(one => one[key] === first![key]) ? first![key] : undefined;
  // Whatever is drawn could have been anything.
  const isChance = results !== undefined && unknown.every(atom => decision.random.has(atom));
  const decides = (atom: number) =>
    isChance && given[atom] !== undefined
      ? all.some(one => one.deciding.includes(atom))
      : all.every(one => one.deciding.includes(atom));
  const deciding = values.flatMap((value, atom) => (value !== undefined && decides(atom) ? [atom] : []));
  const [result, failing] = [same('result'), same('failing')];
  return { deciding, values, ...(result !== undefined && { result }), ...(failing !== undefined && { failing }) };
}
