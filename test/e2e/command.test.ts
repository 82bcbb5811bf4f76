import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** Runs the command as a user does, in its own process, from the sources. */
function tollgate(...args: readonly string[]) {
  const { NODE_COMPILE_CACHE } = process.env;
  const result = spawnSync(process.execPath, ['packages/cli/bin/tollgate.js', ...args], {
    encoding: 'utf8',
    env: { NODE_COMPILE_CACHE },
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

describe('the command, from a clone without a build', () => {
  it('checks a policy, and prints nothing else', () => {
    expect(tollgate('check', 'examples/policies/block-bots.yaml')).toEqual({
      code: 0,
      out: 'no problems in 1 file\n',
      err: '',
    });
  });

  it('exits with 1 for findings and 3 for a missing file', () => {
    expect(tollgate('check', 'test/golden/check/https-route/wrong-phase.yaml').code).toBe(1);
    const { code, err } = tollgate('check', 'nowhere.yaml');
    expect([code, err]).toEqual([3, 'tollgate: cannot read `nowhere.yaml`: no such file\n']);
  });
});
