import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { checked, type Finding } from './finding.ts';
import { inProject, type Project } from './project.ts';
import type { Tools } from './tools.ts';

/** Installs all packages with npm, imports all of their entry points, and runs the example of the front door, on each runtime. */
export function checkLibraries(
  tarballs: ReadonlyMap<string, string>,
  { managers, runtimes }: Tools,
  root: string,
): readonly Finding[] {
  return inProject(project => {
    project.must(managers.npm ?? [], ...tarballs.values());
    const entries = [...tarballs.keys()].flatMap(name => entriesOf(project, name));
    const imports = entries.map(entry => `await import(${JSON.stringify(entry)});`);
    writeFileSync(join(project.folder, 'entries.js'), `${imports.join('\n')}\n`);
    const [, example = ''] =
      /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, 'packages/core/README.md'), 'utf8')) ?? [];
    const promised = [...example.matchAll(/^.*console\.log.*; \/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('');
    writeFileSync(join(project.folder, 'example.js'), stripTypeScriptTypes(example));
    return Object.entries(runtimes).map(([name, runtime]) =>
      checked(`${tarballs.size} packages with ${entries.length} entry points on ${name}`, () => {
        project.must(runtime, 'entries.js');
        const printed = project.must(runtime, 'example.js');
        if (promised === '' || printed !== promised) throw new Error(`the example printed ${printed}`);
        return 'passed, with the example of `@tollgate/core`';
      }),
    );
  });
}

/** Entries for browsers import what only browsers have; `test/contract/portable.test.ts` bundles them. */
const FOR_BROWSERS = './browser';

function entriesOf({ folder }: Project, name: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  const paths = Object.keys(manifest.exports ?? {}).filter(path => path !== FOR_BROWSERS);
  return paths.map(path => name + path.slice(1));
}
