import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { CodeCache } from './code-cache.ts';
import { FileReader } from './file-reader.ts';
import { isPrivateDirectory } from './private-directory.ts';

/** Tells one bundle from another; put in place when the bundle is written. */
const BUILD = 'BUILD-OF-THE-BUNDLE';

/** What the program that is started has, and code that is kept has not. */
export interface BundleStart {
  /** Of the files of the bundle. */
  readonly directory: string;
  readonly process: NodeJS.Process;
  /** For modules of Node, and packages. */
  readonly require: Require;
  /** For modules of users, by their URLs, and packages. */
  readonly importModule: (specifier: string) => Promise<unknown>;
}

type Require = (specifier: string) => unknown;

/** Runs the command line of a process with the files of the bundle. */
export async function startBundle(start: BundleStart): Promise<void> {
  const { process } = start;
  const kept = cacheDirectory(process.env, process.platform);
  const build = `${BUILD}-${process.version}-${process.arch}`;
  const reader = new FileReader();
  const code = kept === undefined ? undefined : join(kept, 'tollgate', 'code');
  const isSafe = code !== undefined && isPrivateDirectory(code);
  const cache = new CodeCache(isSafe ? join(code, build) : undefined, reader);
  process.once('exit', () => cache.save());
  const { runCommandLine } = createLoader(start, { cache, reader })('./main.cjs') as typeof import('../main.ts');
  await runCommandLine(process);
  // Where nothing is left to wait for, this is the end all the same; but then V8 would take its heap apart first, object by object.
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}

interface Loading {
  readonly cache: CodeCache;
  readonly reader: FileReader;
}

/** A `require` for the files of a bundle, which name each other by `./name.cjs`; all else is left to that of Node. */
function createLoader({ directory, require, importModule }: BundleStart, { cache, reader }: Loading): Require {
  const loaded = new Map<string, { readonly exports: unknown }>();
  const load: Require = specifier => {
    if (!specifier.startsWith('./')) return require(specifier);
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

/** As Node wraps modules, but for `import`. Bundles are all ASCII, which need not be decoded. */
function wrapped(code: Buffer): string {
  return `(function (exports, require, module, __filename, __dirname, importModule) {${code.toString('latin1')}\n})`;
}
