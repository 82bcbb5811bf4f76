// Coverage as LCOV: lines, functions, branches and MC/DC, as genhtml 1.16 and 2 and the coverage services read it.

import { humanPosition } from '@tollgate/diagnostics';
import type { CoveredGoal, PolicyCoverage } from './coverage-result.ts';

/** Renders coverage as an LCOV tracefile. `pathOf` returns the path of a file as the services know it, relative to the repository. */
export function lcovCoverage(policies: readonly PolicyCoverage[], pathOf: (file: string) => string): string {
  const byFile = Map.groupBy(policies, ({ source }) => source.uri);
  return [...byFile].map(([file, same]) => record(pathOf(file), same)).join('');
}

function record(path: string, policies: readonly PolicyCoverage[]): string {
  const lines = new Map<number, number>();
  const functions: { readonly line: number; readonly name: string; readonly count: number }[] = [];
  const branches: { readonly line: number; readonly block: number; readonly branch: number; readonly taken: number }[] =
    [];
  const conditions: McDc[] = [];
  const blocks = new Map<number, Map<string, number>>();
  for (const policy of policies) {
    const lineOf = (range: CoveredGoal['range']) => humanPosition(policy.source, range.start).line;
    /** Numbers the branches of a line: those of each rule, each expression and each action. */
    const blockOf = ({ group, rule, part, range }: CoveredGoal, line: number): number => {
      const known = blocks.get(line) ?? new Map<string, number>();
      blocks.set(line, known);
      const key = `${policy.name} ${rule} ${group} ${part} ${range.start}`;
      known.set(key, known.get(key) ?? known.size);
      return known.get(key)!;
    };
    const count = (line: number, times: number) => lines.set(line, Math.max(lines.get(line) ?? 0, times));
    for (const { label, range, reached } of policy.rules) {
      // A function without hits must not have lines with hits: what counts is that it is reached.
      functions.push({ line: lineOf(range), name: functionName(label), count: reached });
      count(lineOf(range), reached);
    }
    // Impossible goals are left out: genhtml 1.16 does not know that something cannot be reached.
    const possible = policy.goals.filter(({ state, rule }) => state !== 'impossible' && rule !== undefined);
    for (const goal of possible) count(lineOf(goal.range), reachedLines(goal, policy));
    for (const goal of possible) {
      const branch = BRANCHES[goal.kind];
      if (branch === undefined) continue;
      const line = lineOf(goal.range);
      branches.push({ line, block: blockOf(goal, line), branch, taken: goal.tests.length });
    }
    conditions.push(...mcdcOf(policy, possible, lineOf));
  }
  return [
    'TN:',
    `SF:${path}`,
    ...functions.map(({ line, name }) => `FN:${line},${name}`),
    ...functions.map(({ name, count }) => `FNDA:${count},${name}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ count }) => count > 0).length}`,
    ...branchLines(branches),
    ...conditions.map(
      ({ line, size, value, taken, index, text }) => `MCDC:${line},${size},${value},${taken},${index},${text}`,
    ),
    ...(conditions.length === 0
      ? []
      : [`MCF:${conditions.length}`, `MCH:${conditions.filter(({ taken }) => taken > 0).length}`]),
    ...[...lines].toSorted(([a], [b]) => a - b).map(([line, times]) => `DA:${line},${times}`),
    `LF:${lines.size}`,
    `LH:${[...lines.values()].filter(times => times > 0).length}`,
    'end_of_record\n',
  ].join('\n');
}

/** A line with actions is covered if they do something, and one with conditions if the rule is reached. */
function reachedLines({ group, rule, kind, tests }: CoveredGoal, { rules }: PolicyCoverage): number {
  return group === 'actions' && kind === 'runs'
    ? tests.length
    : group === 'conditions' || group === 'rules'
      ? rules[rule!]!.reached
      : 0;
}

/** Numbers, because genhtml 1.16 drops named branches. */
const BRANCHES: Readonly<Partial<Record<CoveredGoal['kind'], number>>> = {
  matches: 0,
  'does-not-match': 1,
  fails: 2,
  ends: 0,
  'lets-pass': 1,
  fills: 0,
  'fill-fails': 1,
};

function branchLines(
  branches: readonly {
    readonly line: number;
    readonly block: number;
    readonly branch: number;
    readonly taken: number;
  }[],
): readonly string[] {
  if (branches.length === 0) return [];
  return [
    ...branches.map(({ line, block, branch, taken }) => `BRDA:${line},${block},${branch},${taken}`),
    `BRF:${branches.length}`,
    `BRH:${branches.filter(({ taken }) => taken > 0).length}`,
  ];
}

/** One outcome of one atom. */
interface McDc {
  readonly line: number;
  /** The number of atoms of the rule on the line. */
  readonly size: number;
  readonly value: 't' | 'f';
  readonly taken: number;
  readonly index: number;
  readonly text: string;
}

function mcdcOf(
  { source }: PolicyCoverage,
  possible: readonly CoveredGoal[],
  lineOf: (range: CoveredGoal['range']) => number,
): readonly McDc[] {
  const atoms = possible.filter(({ atom }) => atom !== undefined);
  const groups = Map.groupBy(atoms, ({ rule, range }) => `${rule} ${lineOf(range)}`);
  return [...groups.values()].flatMap(same => {
    const all = [...new Set(same.map(({ atom }) => atom!))];
    return same.map(
      ({ kind, range, atom, tests }): McDc => ({
        line: lineOf(range),
        size: all.length,
        value: kind === 'decides-true' ? 't' : 'f',
        taken: tests.length,
        index: all.indexOf(atom!),
        text: source.text.slice(range.start, range.end).replaceAll(/[\r\n]+\s*/g, ' '),
      }),
    );
  });
}

/** Fields are separated by commas. */
function functionName(label: string): string {
  return label
    .replace(', ', ': ')
    .replaceAll(',', ';')
    .replaceAll(/[\r\n]/g, ' ');
}
