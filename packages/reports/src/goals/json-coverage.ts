// Coverage as JSON.

import { humanPosition } from '@tollgate/diagnostics';
import { countGoals, type PolicyCoverage, percentOf } from './coverage-result.ts';

/** Returns coverage as plain data: each goal with its place, state and tests. */
export function jsonCoverage(policies: readonly PolicyCoverage[]): readonly unknown[] {
  return policies.map(({ name, source, goals, isDisabled, threshold }) => ({
    policy: name,
    file: source.uri,
    ...(isDisabled && { disabled: true }),
    ...(threshold !== undefined && { threshold }),
    percent: percentOf(countGoals(goals).all),
    counts: countGoals(goals),
    goals: goals.map(({ id, group, kind, range, state, tests, reason }) => ({
      ...{ id, group, kind, state },
      start: place(source, range.start),
      end: place(source, range.end),
      tests,
      ...(reason !== undefined && { reason }),
    })),
  }));
}

function place(source: PolicyCoverage['source'], offset: number) {
  const { line, column } = humanPosition(source, offset);
  return { line, column };
}
