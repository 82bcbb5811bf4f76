// Lets modules of a project import packages of the command, and be loaded again after a change.

import { existsSync, readFileSync } from 'node:fs';
import { type ResolveHookSync, registerHooks } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The modules that settings name, and everything they import: modules, JSON and packages. Each has the content of its first import, because
 * that is what runs.
 */
export class LoadedModules {
  /** Changing it loads modules again, with all of their imports except packages. */
  generation = 0;
  /** Removes the hooks that observe imports. */
  readonly end: () => void;
  /** Hash of the content, by URL. */
  readonly #contents = new Map<string, string>();

  constructor() {
    this.end = provideOwnPackages(module => this.#see(module));
  }

  /** The loaded files, except those of packages. */
  get paths(): readonly string[] {
    const urls = this.#current().map(([url]) => url);
    return urls.filter(url => !url.includes('/node_modules/')).map(url => fileURLToPath(url));
  }

  /** A hash that is equal if the same content was loaded. */
  get state(): string {
    return sha256(JSON.stringify(this.#current().toSorted(([a], [b]) => (a < b ? -1 : 1))));
  }

  /** Settings name modules by URL or absolute path. Imports of any other module are ignored. */
  #see({ specifier, url, parent }: ResolvedModule): void {
    const isKnown = parent !== undefined && this.#current().some(([one]) => one === withoutQuery(parent));
    const isNamed = specifier.startsWith('file:') || isAbsolute(specifier);
    if (!url.startsWith('file:') || (!isKnown && !isNamed)) return;
    if (!this.#contents.has(url)) this.#contents.set(url, contentOf(url));
  }

  /** URLs without generations. A module that was loaded again has its latest content. */
  #current(): readonly (readonly [url: string, content: string])[] {
    const found = new Map<string, string>();
    for (const [url, content] of this.#contents) found.set(withoutQuery(url), content);
    const query = generationQuery(this.generation);
    for (const url of found.keys()) found.set(url, this.#contents.get(url + query) ?? found.get(url)!);
    return [...found];
  }
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '');
}

function contentOf(url: string): string {
  try {
    return sha256(readFileSync(fileURLToPath(url)));
  } catch {
    return 'unreadable';
  }
}

/** Loads `node:crypto` only if there are modules to compare, which saves other runs a millisecond. */
function sha256(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content);
}

const GENERATION = /\?tollgate=\d+$/;

/** Returns the query that makes Node load a module again; empty for the first generation. */
export function generationQuery(generation: number): string {
  return generation === 0 ? '' : `?tollgate=${generation}`;
}

/** A resolved import. */
interface ResolvedModule {
  readonly specifier: string;
  readonly url: string;
  /** URL of the importing module. */
  readonly parent: string | undefined;
}

/**
 * Lets user-supplied modules import `@tollgate/lint` if it is not installed next to them: they get the package of this command, whose bundle has what
 * tests import. Imports of
 * a module, except packages, belong to its generation.
 *
 * @param see is called with every resolved import
 *
 * @returns a function that removes the hooks
 */
export function provideOwnPackages(see: (module: ResolvedModule) => void = () => {}): () => void {
  const resolve: ResolveHookSync = (specifier, context, next) => {
    const generation = GENERATION.exec(context.parentURL ?? '')?.[0];
    if (!specifier.startsWith('@tollgate/')) {
      const found = next(specifier, context);
      const isOwn = generation !== undefined && found.url.startsWith('file:') && !found.url.includes('/node_modules/');
      return isOwn ? { ...found, url: found.url + generation } : found;
    }
    const own = { ...context, parentURL: import.meta.url };
    // A clone that is not built has only the sources of its packages.
    const source = { ...own, conditions: ['tollgate-source', ...context.conditions] };
    for (const one of [context, own]) {
      try {
        return next(specifier, one);
      } catch {
        // It is looked for elsewhere.
      }
    }
    try {
      return next(specifier, source);
    } catch (error) {
      const bundled = new URL('./rule-testing.cjs', import.meta.url);
      if (specifier !== '@tollgate/lint/testing' || !existsSync(bundled)) throw error;
      return { url: bundled.href, format: 'commonjs', shortCircuit: true };
    }
  };
  // Bun has no hooks: there, modules import what is installed next to them, and are not loaded again after a change.
  if (typeof registerHooks !== 'function') return () => {};
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = resolve(specifier, context, next);
      see({ specifier, url: found.url, parent: context.parentURL });
      return found;
    },
  });
  return () => hooks.deregister();
}
