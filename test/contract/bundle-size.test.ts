import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Returns the size of the program with everything it imports from `@tollgate/cel`, minified and compressed, in kilobytes. */
async function sizeOf(environment: string): Promise<number> {
  const contents = `
    import * as cel from '@tollgate/cel';
    import { check, compileClosures, createEnvironment, EvaluationError, INT, mapOf, parse, STRING } from '@tollgate/cel';
    const env = createEnvironment(${environment});
    const checked = check(parse("path.startsWith('/api/') && headers['x-key'] != ''", env).ast, env);
    console.log(compileClosures(checked.typed, env).evaluate({}) instanceof EvaluationError, INT, mapOf, STRING);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['tollgate-source'],
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length / 1000;
}

test('closures with the standard library stay below 88 kB; libraries that are not named are not bundled', async () => {
  const [standard, all] = await Promise.all([sizeOf('{}'), sizeOf('{ libraries: cel.EXTENSION_LIBRARIES }')]);
  expect(standard).toBeLessThanOrEqual(88);
  // The second program contains what the first leaves out, so the limit can fail.
  expect(all - standard).toBeGreaterThan(50);
});
