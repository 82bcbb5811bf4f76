import { EvaluationError } from '@tollgate/cel';
import { describe, expect, it } from 'vitest';
import type { HitResult, Verdict } from '../simulation/decision.ts';
import { RewriteTally } from './counter.ts';

const ACTIONS = [['log'], ['log', 'url-rewrite'], ['url-rewrite']];

function verdict(...results: readonly (readonly [rule: number, result: HitResult])[]): Verdict {
  const hits = results.map(([rule, result]) => ({ rule, result }));
  return { outcomes: [], needs: [], hits, notReached: [], status: 'recorded' };
}

const FIRED: HitResult = { status: 'matched', actions: ['fired', 'fired'] };
const IDLE: HitResult = { status: 'matched', actions: ['fired', 'idle'] };
const OPEN: HitResult = { status: 'undetermined', actions: ['may-have-fired', 'may-have-fired'], needs: ['x'] };

describe('rewritten exchanges', () => {
  it('are counted once each, with bounds for those that may have been rewritten', () => {
    const tally = new RewriteTally(ACTIONS);
    tally.add(verdict([0, FIRED]), 100);
    tally.add(verdict([1, IDLE]), 100);
    tally.add(verdict([1, FIRED], [2, FIRED]), 3);
    tally.add(verdict([1, OPEN], [2, FIRED]), 4);
    tally.add(verdict([1, OPEN]), 5);
    tally.add(verdict([1, { status: 'failed', error: new EvaluationError('no-such-key', 'x', 1) }]), 100);
    expect(tally.summary()).toEqual({ least: 7, most: 12 });
  });

  it('are not reported if no rule rewrites', () => {
    expect(new RewriteTally([['log'], ['deny']]).summary()).toBe(undefined);
  });
});
