/** Conjunctions of checked expressions as columns of a query, for engines that test many different values at once. */
import type { Environment, TypedAst } from '@tollgate/cel';
import { type Condition, type Constant, leavesOf, UnsupportedError, type Value } from './condition.ts';
import { lowerCondition } from './lower-condition.ts';
import { addressesIn, addressStages, knownConditionSql, type Stage } from './sql-conditions.ts';
import { DIALECTS, type SqlDialectName } from './sql-dialects.ts';
import { patternSql } from './sql-patterns.ts';

/** Conjunctions of checked expressions, and the environment that they were checked in. */
interface Conjunctions {
  readonly rules: readonly (readonly TypedAst[])[];
  readonly environment: Environment;
}

/** Where conditions are evaluated. */
interface ConditionPlace {
  readonly dialect: SqlDialectName;
  /**
   * Returns the column with a variable, or with the only value of a header, as a string; undefined if there is none. Where the column is null,
   * results mean nothing.
   */
  readonly columnOf: (path: string, header?: string) => string | undefined;
  /** Begins the names of the columns with addresses. */
  readonly prefix?: string;
  /** Whether the dialect reads every address among the strings, and the results for other strings are not used. */
  readonly areValid?: boolean;
}

/**
 * A condition that one lookup may decide together with others: a column equals, begins or ends with one of some strings of ASCII, matches one of some
 * patterns, or is in one of some ranges of IPv4 addresses.
 */
export interface LookupCondition {
  readonly column: string;
  readonly kind: 'equal' | 'start' | 'end' | 'pattern' | 'network';
  readonly keys: readonly LookupKey[];
}

/** A string and the number of its characters, or the first address of a range and the number of bits that all of its addresses share. */
export interface LookupKey {
  readonly value: string | number;
  readonly length: number;
}

/** Conditions in SQL. */
export interface ConditionColumns {
  /** Columns that the results need, each stage in a query over the one before. */
  readonly stages: readonly Stage[];
  /** Each condition as a boolean; null for an evaluation error. */
  readonly results: readonly string[];
  /** Those that lookups may decide. */
  readonly lookups: readonly (LookupCondition | undefined)[];
  /** How many tests all conditions consist of. */
  readonly tests: number;
  /** Whether some strings lead to evaluation errors. */
  readonly mayFail: boolean;
}

/** Returns conjunctions in SQL with exactly the results of the evaluator; undefined if the dialect cannot express one of them. */
export function conditionColumns(
  all: readonly Conjunctions[],
  { dialect: name, columnOf, prefix = 'tollgate_a', areValid = false }: ConditionPlace,
): ConditionColumns | undefined {
  const dialect = DIALECTS[name];
  const conditions: Condition[] = [];
  for (const [parts, environment] of all.flatMap(({ rules, environment }) =>
    rules.map(parts => [parts, environment] as const),
  )) {
    const lowered = lowerAll(parts, environment)?.map(part => withColumns(part, columnOf));
    if (lowered?.every(part => part !== undefined) !== true) return undefined;
    conditions.push({ kind: 'and', parts: lowered });
  }
  const leaves = conditions.flatMap(leavesOf);
  if (leaves.some(leaf => leaf.kind === 'pattern' && 'refused' in patternSql(dialect, '', leaf.pattern)))
    return undefined;
  const input = ({ path }: { readonly path: string }) => path;
  const addresses = addressesIn(conditions, { dialect, input });
  const names = { dialect, input, areValid, address: (value: string) => `${prefix}${addresses.indexOf(value) + 1}` };
  return {
    stages: addressStages(dialect, addresses, { prefix, areValid }).filter(stage => stage.length > 0),
    results: conditions.map(condition => knownConditionSql(condition, names)),
    lookups: conditions.map(condition => lookupOf(condition, areValid)),
    tests: leaves.length,
    mayFail: leaves.some(({ kind }) => kind === 'network'),
  };
}

/** Returns what decides a condition, if it is nothing but a list of keys. */
function lookupOf(condition: Condition, areValid: boolean): LookupCondition | undefined {
  const inColumn = (value: Value, kind: LookupCondition['kind'], keys: readonly (LookupKey | undefined)[]) =>
    value.kind === 'input' && keys.every(key => key !== undefined)
      ? { column: value.input.path, kind, keys }
      : undefined;
  switch (condition.kind) {
    case 'and': {
      const [one, ...more] = conjunctsOf(condition).filter(
        part => !((part.kind === 'constant' && part.value) || (areValid && part.kind === 'address')),
      );
      return one && more.length === 0 ? lookupOf(one, areValid) : undefined;
    }
    case 'or': {
      const parts = condition.parts.map(part => lookupOf(part, areValid));
      const [first] = parts;
      const isSame = first && parts.every(part => part?.column === first.column && part.kind === first.kind);
      return isSame ? { ...first, keys: parts.flatMap(part => part!.keys) } : undefined;
    }
    case 'comparison':
      return condition.operator === '==' && condition.other.kind === 'constant'
        ? inColumn(condition.value, 'equal', [textKey(condition.other.value)])
        : undefined;
    case 'membership':
      return inColumn(condition.value, 'equal', condition.members.map(textKey));
    case 'text':
      return condition.operator !== 'contains' && condition.other.kind === 'constant'
        ? inColumn(condition.value, condition.operator === 'startsWith' ? 'start' : 'end', [
            textKey(condition.other.value),
          ])
        : undefined;
    case 'pattern':
      // These mean something else next to other patterns.
      return /\\Q|\(\?P?</.test(condition.pattern)
        ? undefined
        : inColumn(condition.value, 'pattern', [textKey(condition.pattern)]);
    case 'network': {
      const { bytes, prefixLength: length } = condition.network;
      const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
      const value = number - (number % 2 ** (32 - length));
      // Other addresses count as 0.
      return areValid && bytes.length === 4 && value > 0
        ? inColumn(condition.value, 'network', [{ value, length }])
        : undefined;
    }
    default:
      return undefined;
  }
}

function conjunctsOf(condition: Condition): readonly Condition[] {
  return condition.kind === 'and' ? condition.parts.flatMap(conjunctsOf) : [condition];
}

function textKey(value: Constant): LookupKey | undefined {
  return typeof value === 'string' && /^[\x01-\x7f]+$/.test(value) ? { value, length: value.length } : undefined;
}

function lowerAll(parts: readonly TypedAst[], environment: Environment): readonly Condition[] | undefined {
  try {
    return parts.map(typed => lowerCondition(typed, environment));
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

/** Replaces inputs by columns; undefined if one has none. */
function withColumns(condition: Condition, columnOf: ConditionPlace['columnOf']): Condition | undefined {
  const all = (parts: readonly Condition[]) => {
    const found = parts.map(part => withColumns(part, columnOf));
    return found.every(part => part !== undefined) ? found : undefined;
  };
  const column = (value: Value): Value | undefined => columnValue(value, columnOf);
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'and':
    case 'or': {
      const parts = all(condition.parts);
      return parts && { ...condition, parts };
    }
    case 'not':
    case 'holds': {
      const part = withColumns(condition.part, columnOf);
      return part && { ...condition, part };
    }
    case 'choice': {
      const [test, yes, no] = all([condition.test, condition.yes, condition.no]) ?? [];
      return test && yes && no && { ...condition, test, yes, no };
    }
    case 'input':
      return undefined;
    case 'key':
      return columnOf(condition.input.path, condition.key) === undefined
        ? undefined
        : { kind: 'constant', value: true };
    case 'comparison':
    case 'text': {
      const [value, other] = [column(condition.value), column(condition.other)];
      return value && other && { ...condition, value, other };
    }
    default: {
      const value = column(condition.value);
      return value && { ...condition, value };
    }
  }
}

function columnValue(value: Value, columnOf: ConditionPlace['columnOf']): Value | undefined {
  if (value.kind === 'constant') return value;
  const { path, type } = value.input;
  const isElement = value.kind === 'element' && value.position === 0;
  if (!isElement && (value.kind === 'element' || type !== 'string')) return undefined;
  const column = columnOf(path, isElement ? value.key : undefined);
  if (column === undefined) return undefined;
  const input = { path: column, type: 'string' } as const;
  return value.kind === 'size' ? { kind: 'size', input } : { kind: 'input', input };
}
