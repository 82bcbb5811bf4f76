/** Conditions as SQL with the three-valued logic of CEL, and the stages that make canonical addresses of strings. */
import type { Profile } from '@tollgate/catalog';
import { InternalError } from '@tollgate/diagnostics';
import {
  type ComparisonOperator,
  type Condition,
  type Constant,
  type Input,
  type Leaf,
  leavesOf,
  type Value,
} from './condition.ts';
import { MAPPED, type SqlDialect } from './sql-dialects.ts';
import { fixedPattern, patternSql } from './sql-patterns.ts';

/** What conditions refer to in a query. */
export interface SqlNames {
  readonly dialect: SqlDialect;
  readonly input: (input: Input) => string;
  /** The column with the address in a value, null if it is malformed. */
  readonly address: (value: string) => string;
  /** Whether no address is malformed. */
  readonly areValid?: boolean;
}

/** Returns a condition as an integer: 0 false, 1 unknown, 2 evaluation error, 3 true. */
export function conditionSql(condition: Condition, names: SqlNames): string {
  const { dialect } = names;
  const sql = (part: Condition) => conditionSql(part, names);
  switch (condition.kind) {
    case 'constant':
      return condition.value ? '3' : '0';
    case 'and':
      return least(dialect, condition.parts.map(sql));
    case 'or':
      return negated(
        dialect,
        least(
          dialect,
          condition.parts.map(part => negated(dialect, sql(part))),
        ),
      );
    case 'not':
      return negated(dialect, sql(condition.part));
    case 'holds':
      return dialect.integerAt(sql(condition.part), ['0', '1', '0', '3']);
    case 'choice':
      return dialect.integerAt(sql(condition.test), [sql(condition.no), '1', '2', sql(condition.yes)]);
    default:
      return tested(condition, names);
  }
}

/** Returns a condition on known values as a boolean; null for an evaluation error, which `and` and `or` of SQL absorb as those of CEL do. */
export function knownConditionSql(condition: Condition, names: SqlNames): string {
  const sql = (part: Condition) => knownConditionSql(part, names);
  const joined = (parts: readonly Condition[], operator: string, none: string) =>
    parts.length === 0 ? none : `(${parts.map(sql).join(` ${operator} `)})`;
  switch (condition.kind) {
    case 'constant':
      return condition.value ? 'true' : 'false';
    case 'and':
      return joined(condition.parts, 'and', 'true');
    case 'or':
      return joined(condition.parts, 'or', 'false');
    case 'not':
      return `(not ${sql(condition.part)})`;
    case 'holds':
      return `coalesce(${sql(condition.part)}, false)`;
    case 'choice': {
      // Written once, so that choices inside each other do not multiply.
      const position = `cast(${sql(condition.test)} as integer)`;
      const branches = [condition.no, condition.yes].map(part => `cast(${sql(part)} as integer)`);
      return `(${names.dialect.integerAt(position, branches)} = 1)`;
    }
    default:
      return `(${testSql(condition, names)})`;
  }
}

/** Returns the test of a leaf on values that are known, and no evaluation errors. */
function testSql(leaf: Exclude<Leaf, { readonly kind: 'constant' }>, names: SqlNames): string {
  const { dialect } = names;
  const sql = (value: Value) => valueSql(value, names);
  switch (leaf.kind) {
    case 'input':
      return names.input(leaf.input);
    case 'key':
      return dialect.headers.has(names.input(leaf.input), leaf.key);
    case 'comparison':
      return `${sql(leaf.value)} ${OPERATORS[leaf.operator]} ${sql(leaf.other)}`;
    case 'text':
      return dialect[leaf.operator](sql(leaf.value), sql(leaf.other));
    case 'membership': {
      const members = leaf.members.map(member => constantSql(member, dialect)).join(', ');
      return members === '' ? '1 = 0' : `${sql(leaf.value)} in (${members})`;
    }
    case 'pattern': {
      const test = patternSql(dialect, sql(leaf.value), leaf.pattern);
      if ('refused' in test) throw new InternalError('patterns without an equivalent are refused before');
      return test.sql;
    }
    case 'address':
      return names.areValid ? 'true' : `${names.address(sql(leaf.value))} is not null`;
    case 'network': {
      const value = sql(leaf.value);
      const number = names.areValid ? dialect.ipv4?.(value) : undefined;
      if (number === undefined || leaf.network.bytes.length === 16)
        return networkSql(names.address(value), leaf.network, dialect);
      const [first, last] = rangeOf(leaf.network).map(bits => bits & IPV4);
      const isWithin = `${number} between ${first} and ${last}`;
      return first === 0n ? `(${isWithin} and not ${dialect.contains(value, dialect.text(':'))})` : isWithin;
    }
  }
}

const OPERATORS: Readonly<Record<ComparisonOperator, string>> = {
  ...{ '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
};

function least(dialect: SqlDialect, parts: readonly string[]): string {
  return parts.length === 0 ? '3' : parts.length === 1 ? parts[0]! : dialect.least(parts);
}

/** Unknown and errors stay. */
function negated({ integerAt }: SqlDialect, sql: string): string {
  return integerAt(sql, ['3', '1', '2', '0']);
}

function tested(leaf: Exclude<Leaf, { readonly kind: 'constant' }>, names: SqlNames): string {
  const cases = valuesOf(leaf).flatMap(value => failures(value, names));
  if (leaf.kind === 'network') cases.push(`when ${names.address(valueSql(leaf.value, names))} is null then 2`);
  return `(case ${[...cases, `when ${testSql(leaf, names)} then 3`].join(' ')} else 0 end)`;
}

function valuesOf(leaf: Exclude<Leaf, { readonly kind: 'constant' }>): readonly Value[] {
  if (leaf.kind === 'input' || leaf.kind === 'key') return [{ kind: 'input', input: leaf.input }];
  return leaf.kind === 'comparison' || leaf.kind === 'text' ? [leaf.value, leaf.other] : [leaf.value];
}

function failures(value: Value, names: SqlNames): readonly string[] {
  if (value.kind === 'constant') return [];
  const unknown = `when ${names.input(value.input)} is null then 1`;
  return value.kind === 'element' ? [unknown, `when ${valueSql(value, names)} is null then 2`] : [unknown];
}

/** Returns the values, in SQL, that conditions read as addresses. */
export function addressesIn(
  conditions: readonly Condition[],
  names: Pick<SqlNames, 'dialect' | 'input'>,
): readonly string[] {
  const leaves = conditions.flatMap(leavesOf);
  const values = leaves.flatMap(leaf => (leaf.kind === 'address' || leaf.kind === 'network' ? [leaf.value] : []));
  return [...new Set(values.map(value => valueSql(value, names)))];
}

/** Returns a value in SQL; null if it is unknown or an evaluation error. */
function valueSql(value: Value, { dialect, input }: Pick<SqlNames, 'dialect' | 'input'>): string {
  switch (value.kind) {
    case 'constant':
      return constantSql(value.value, dialect);
    case 'input':
      return input(value.input);
    case 'size':
      return value.input.type === 'string'
        ? dialect.length(input(value.input))
        : dialect.headers.size(input(value.input));
    case 'element':
      return dialect.headers.value(input(value.input), value.key, value.position + 1);
  }
}

function constantSql(value: Constant, { text }: SqlDialect): string {
  return typeof value === 'string' ? text(value) : String(value);
}

const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const DOTTED = `(?:${BYTE}[.]){3}${BYTE}`;
const PAIR = '[0-9a-fA-F]{1,4}';
const pairs = (least: number, most: number) => `(?:${PAIR}:){${least},${most}}`;
const after = (least: number, most: number) => `(?::${PAIR}){${least},${most}}`;

const FORMS: readonly string[] = [
  DOTTED,
  `${pairs(7, 7)}${PAIR}`,
  `${pairs(6, 6)}${DOTTED}`,
  // `::` stands for at least one pair.
  ...['::', `${pairs(1, 7)}:`, `:${after(1, 7)}`],
  ...[1, 2, 3, 4, 5, 6].map(before => `${pairs(1, before)}${after(1, 7 - before)}`),
  ...[`:${after(0, 5)}:${DOTTED}`, `${pairs(1, 5)}:${DOTTED}`],
  ...[1, 2, 3, 4].map(before => `${pairs(1, before)}${after(1, 5 - before)}:${DOTTED}`),
];

/** Matches what the evaluator reads as an address, and IPv4-mapped addresses with a dotted end, which it does not. */
const ADDRESS_PATTERN = `^(?:${FORMS.join('|')})$`;

/**
 * Returns the stages of columns `tollgate_a1` and so on, or with another prefix, which hold addresses, null if they are malformed. The first
 * stage keeps valid addresses only, the last those that are not dotted and mapped, which the evaluator refuses. Neither is needed if no others
 * occur.
 */
export function addressStages(
  dialect: SqlDialect,
  addresses: readonly string[],
  { prefix = 'tollgate_a', areValid = false }: { readonly prefix?: string; readonly areValid?: boolean } = {},
): readonly Stage[] {
  const { addressStages: own, contains, text } = dialect;
  const last = areValid ? own.length : own.length + 1;
  const column = (at: number, step: number) => `${prefix}${at + 1}${step === last ? '' : `_${step}`}`;
  const before = (at: number, step: number) => (areValid && step === 1 ? addresses[at]! : column(at, step - 1));
  const valid: Stage = addresses.map((value, at) => [
    column(at, 0),
    `case when ${fixedPattern(dialect, value, ADDRESS_PATTERN)} then ${value} end`,
  ]);
  const converted = own.map(
    (convert, step): Stage =>
      addresses.map((_, at) => {
        const from = before(at, step + 1);
        const sql = convert(from);
        return [column(at, step + 1), areValid ? sql : `case when ${from} is not null then ${sql} end`];
      }),
  );
  if (areValid) return converted;
  const isDotted = (value: string) => `${contains(value, text('.'))} and ${contains(value, text(':'))}`;
  const checked: Stage = addresses.map((_, at) => {
    const digits = column(at, own.length);
    const isWrong = `${isMapped(digits, dialect)} and ${isDotted(column(at, 0))}`;
    return [column(at, last), `case when not (${isWrong}) then ${digits} end`];
  });
  return [valid, ...converted, checked];
}

const GROUP = '(?:0|[1-9a-f][0-9a-f]{0,3})';
const HEX = '[0-9a-f]+';

/** Repeats a part of a pattern; nothing for no repetition. */
const times = (part: string, least: number, most = least) =>
  most === 0 ? '' : least === most ? `(?:${part}){${least}}` : `(?:${part}){${least},${most}}`;

/** An IPv4 address, or one of IPv6 in lower case without leading zeros, whose `::` stands for at least two groups. */
const CANONICAL_PARTS = `^(?:${[
  DOTTED,
  `${times(`${GROUP}:`, 7)}${GROUP}`,
  ...['::', `${times(`${GROUP}:`, 1, 6)}:`, `:${times(`:${GROUP}`, 1, 6)}`],
  ...[1, 2, 3, 4, 5].map(before => `${times(`${GROUP}:`, 1, before)}${times(`:${GROUP}`, 1, 6 - before)}`),
].join('|')})$`;

/** What else RFC 5952 rules out: `::` stands for the first of the longest runs of zeros, and IPv4-mapped addresses are those of IPv4. */
const NOT_CANONICAL = [
  `^::ffff:${HEX}:${HEX}$`,
  `^(?:${HEX}:)*0:0(?::${HEX})*$`,
  '(?:^|:)0::',
  '::0(?::|$)',
  // A longer run before a `::` of two or three groups, or as long as it; and a longer one after it.
  ...[2, 3].flatMap(length => {
    const run = Array(length).fill('0').join(':');
    const others = 8 - 2 * length;
    const before = counts(others).filter(([, between]) => between > 0);
    const behind = counts(others - 1).filter(([, between]) => between > 0);
    return [
      ...before.map(
        ([first, between, last]) =>
          `^${times(`${HEX}:`, first)}${run}:${times(`${HEX}:`, between)}${last === 0 ? ':' : times(`:${HEX}`, last)}$`,
      ),
      ...behind.map(
        ([first, between, last]) =>
          `^${first === 0 ? ':' : times(`${HEX}:`, first)}${times(`:${HEX}`, between)}:0:${run}${times(`:${HEX}`, last)}$`,
      ),
    ];
  }),
].join('|');

/** Returns the ways to write a number as a sum of three. */
function counts(sum: number): readonly (readonly [number, number, number])[] {
  const upTo = (most: number) => Array.from({ length: most + 1 }, (_, count) => count);
  return upTo(sum).flatMap(first => upTo(sum - first).map(second => [first, second, sum - first - second] as const));
}

/** Returns an address as the evaluator has it: null, which means unknown, if it is written in another form or is none. */
export function canonicalAddressSql(dialect: SqlDialect, address: string): string {
  const [parts, other] = [CANONICAL_PARTS, NOT_CANONICAL].map(pattern => fixedPattern(dialect, address, pattern));
  return `case when ${parts} and not ${other} then ${address} end`;
}

/** What no name has in the form of a profile; names are joined by colons. */
const OTHER_NAMES = {
  'lower-case': '[A-Z]',
  canonical: '(?:^|[:-])[a-z]|[^:-][A-Z]',
} as const satisfies Readonly<Record<Profile['headerNames'], string>>;

/** Returns a map of headers as the evaluator has it: null, which means unknown, if it has a name in another form. */
export function canonicalHeadersSql(dialect: SqlDialect, headers: string, form: Profile['headerNames']): string {
  const other = fixedPattern(dialect, `coalesce(${dialect.headers.names(headers)}, '')`, OTHER_NAMES[form]);
  return `case when not ${other} then ${headers} end`;
}

const DIGITS = 32;

interface Network {
  readonly bytes: readonly number[];
  readonly prefixLength: number;
}

const IPV4 = 0xffff_ffffn;

/** Returns the first and last address of a range, as 128 bits. */
function rangeOf({ bytes, prefixLength }: Network): readonly [bigint, bigint] {
  const prefix = bytes.map(byte => byte.toString(16).padStart(2, '0')).join('');
  const start = bytes.length === 4 ? MAPPED : '';
  const mask = (1n << BigInt(128 - start.length * 4 - prefixLength)) - 1n;
  const first = BigInt(`0x${start}${prefix}`) & ~mask;
  return [first, first | mask];
}

/** Returns whether a range contains an address, in SQL. */
function networkSql(address: string, network: Network, dialect: SqlDialect): string {
  const [first, last] = rangeOf(network).map(bits => dialect.address(bits.toString(16).padStart(DIGITS, '0')));
  const isWithin = `${address} between ${first} and ${last}`;
  // An IPv4 address is in no range of IPv6.
  return network.bytes.length === 4 ? isWithin : `(${isWithin} and not ${isMapped(address, dialect)})`;
}

/** Returns whether an address is one of IPv4. */
function isMapped(address: string, dialect: SqlDialect): string {
  return `${address} between ${dialect.address(`${MAPPED}00000000`)} and ${dialect.address(`${MAPPED}ffffffff`)}`;
}

/** Columns that refer to those of the table and of the stages before. */
export type Stage = readonly (readonly [name: string, sql: string])[];

/** Returns the columns of a stage as part of a query. */
export function listed(stage: Stage): string {
  return stage.map(([name, sql]) => `  ${sql} as ${name}`).join(',\n');
}
