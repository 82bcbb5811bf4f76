import { type Expr, parse } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { ENVIRONMENT, type Outcome, outcomeOf } from './cases.ts';
import type { Answer, Question } from './driver.ts';
import { CEL_GO_DEVIATIONS, CEL_GO_TYPE_DEVIATIONS, type CelGoDeviation, type Difference } from './known-deviations.ts';

/** Answers questions, in order. */
export type Ask = (questions: readonly Question[]) => readonly Answer[];

/** Similar differences: the same operator or function, and the same kinds of outcomes. */
export interface DifferenceClass {
  readonly name: string;
  readonly count: number;
  /** The difference with the shortest source. */
  readonly example: Difference;
}

/** Returns the differences that no known deviation explains, reduced to the smallest subexpressions that differ on their own. */
export function unexcused(questions: readonly Question[], ask: Ask): Difference[] {
  const found = differing(questions, ask);
  const parts = differing(found.flatMap(partsOf), ask);
  const byWhole = Map.groupBy(parts, ({ whole }) => whole);
  return found
    .flatMap((difference, whole): readonly Difference[] => causesAmong(byWhole.get(whole) ?? []) ?? [difference])
    .filter(difference => !isExcused(difference));
}

/** Groups differences by class, the most frequent first. */
export function classesOf(differences: readonly Difference[]): DifferenceClass[] {
  const classes = [...Map.groupBy(differences, classNameOf)].map(([name, alike]) => ({
    name,
    count: alike.length,
    example: shown(alike.reduce((least, one) => (one.source.length < least.source.length ? one : least))),
  }));
  return classes.sort((a, b) => b.count - a.count);
}

/** Returns a difference without its position in the enclosing expression. */
function shown({ source, data, ours, theirs }: Difference): Difference {
  return { source, data, ours, theirs };
}

/** Returns true if known deviations explain the difference; those of types, the part that is in types. */
function isExcused(difference: Difference): boolean {
  const { ours, theirs } = difference;
  const isExcusedBy = (deviations: readonly CelGoDeviation[]) => deviations.some(({ excuses }) => excuses(difference));
  return (
    agreeAmongThemselves(ours) &&
    (ours.closures === theirs.shown || isExcusedBy(CEL_GO_DEVIATIONS)) &&
    (!differInType(ours, theirs) || isExcusedBy(CEL_GO_TYPE_DEVIATIONS))
  );
}

function differing<Q extends Question>(questions: readonly Q[], ask: Ask): (Q & Difference)[] {
  const answers = ask(questions);
  return questions.flatMap((question, index) => {
    const [ours, theirs] = [outcomeOf(question), answers[index]!];
    const isSame = agreeAmongThemselves(ours) && ours.closures === theirs.shown && !differInType(ours, theirs);
    return isSame ? [] : [{ ...question, ours, theirs }];
  });
}

function agreeAmongThemselves({ closures, generated, folded }: Outcome): boolean {
  return closures === generated && closures === folded;
}

/** Compares types if both checkers accept the expression. */
function differInType(ours: Outcome, theirs: Answer): boolean {
  return ours.type !== undefined && theirs.type !== undefined && ours.type !== theirs.type;
}

interface Part extends Question, Range {
  /** The index of the enclosing expression. */
  readonly whole: number;
}

/** Returns the expression and its subexpressions, each a question of its own. */
function partsOf({ source, data }: Question, whole: number): Part[] {
  const ranges = new Map<string, Range>();
  const visit = (expr: Expr): void => {
    if (expr.range.end > expr.range.start) ranges.set(`${expr.range.start} ${expr.range.end}`, expr.range);
    childrenOf(expr).forEach(visit);
  };
  visit(parse(source, ENVIRONMENT).ast.root);
  return [{ start: 0, end: source.length }, ...ranges.values()].map(({ start, end }) => ({
    whole,
    source: source.slice(start, end),
    data,
    start,
    end,
  }));
}

function causesAmong<P extends Range>(parts: readonly P[]): readonly P[] | undefined {
  const isWithin = (inner: Range, outer: Range) =>
    inner.start >= outer.start && inner.end <= outer.end && inner.end - inner.start < outer.end - outer.start;
  return parts.length === 0 ? undefined : parts.filter(part => !parts.some(other => isWithin(other, part)));
}

function classNameOf({ source, ours, theirs }: Difference): string {
  const root = parse(source, ENVIRONMENT).ast.root;
  const operation = root.kind === 'call' ? root.function : root.kind;
  const types = differInType(ours, theirs) ? ` (types ${ours.type} and ${theirs.type})` : '';
  const own = new Set([ours.closures, ours.generated, ours.folded].map(shown => kindOf(shown, ours.failure)));
  return `${operation}: ${[...own].join(' or ')}; cel-go ${kindOf(theirs.shown, theirs.failure)}${types}`;
}

/** Returns the type of a value, or the message of an error without location and values. */
function kindOf(shown: string, failure: string | undefined): string {
  if (shown !== 'error') return /^(\w+)\b|^./.exec(shown)![0];
  return (failure ?? '').split('\n')[0]!.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|\d+/g, '…');
}
