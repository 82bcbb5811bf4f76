import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { CodeCache } from './code-cache.ts';
import { FileReader } from './file-reader.ts';

/** Tells one bundle from another; put in place when the bundle is written. */
const BUILD = 'BUILD-OF-THE-BUNDLE';

/** Runs the command line of a process with the files of the bundle, which are in `directory`. */
export async function startBundle(directory: string, process: NodeJS.Process): Promise<void> {
  const kept = cacheDirectory(process.env, process.platform);
  const build = `${BUILD}-${process.version}-${process.arch}`;
  const reader = new FileReader();
  const cache = new CodeCache(kept === undefined ? undefined : join(kept, 'tollgate', 'code', build), reader);
  process.once('exit', () => cache.save());
  const { runCommandLine } = createLoader({ directory, cache, reader })('./main.cjs') as typeof import('../main.ts');
  await runCommandLine(process);
  // Where nothing is left to wait for, this is the end all the same; but then V8 would take its heap apart first, object by object.
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}

type Require = (specifier: string) => unknown;

interface Loading {
  readonly directory: string;
  readonly cache: CodeCache;
  readonly reader: FileReader;
}

/** A `require` for the files of a bundle, which name each other by `./name.cjs`; all else is left to that of Node. */
function createLoader({ directory, cache, reader }: Loading): Require {
  const outside = createRequire(join(directory, 'main.cjs'));
  const loaded = new Map<string, { readonly exports: unknown }>();
  const load: Require = specifier => {
    if (!specifier.startsWith('./')) return outside(specifier);
    const known = loaded.get(specifier);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(specifier, module);
    const filename = join(directory, specifier);
    const source = wrapped(reader.read(filename));
    const run = cache.compile(specifier.slice(2), filename, source).runInThisContext();
    run.call(module.exports, module.exports, load, module, filename, directory, importModule);
    return module.exports;
  };
  return load;
}

/** Of modules of users, and packages: by their URLs and names. */
function importModule(specifier: string): Promise<unknown> {
  return import(specifier);
}

/** As Node wraps modules, but for `import`. Bundles are all ASCII, which need not be decoded. */
function wrapped(code: Buffer): string {
  return `(function (exports, require, module, __filename, __dirname, importModule) {${code.toString('latin1')}\n})`;
}
