import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generationQuery, provideOwnPackages, type ResolvedModule } from './own-packages.ts';

/**
 * The modules that settings name, with all that they import: other modules, JSON and packages. Each counts with what it held when it was
 * first loaded, since that is what runs.
 */
export class LoadedModules {
  /** Another number than before loads modules again, with all that they import except for packages. */
  generation = 0;
  /** Ends the loading of modules. */
  readonly end: () => void;
  /** By URL. */
  readonly #contents = new Map<string, string>();

  constructor() {
    this.end = provideOwnPackages(module => this.#see(module));
  }

  /** The files that were loaded, except for those of packages. */
  get paths(): readonly string[] {
    const urls = this.#current().map(([url]) => url);
    return urls.filter(url => !url.includes('/node_modules/')).map(url => fileURLToPath(url));
  }

  /** Equal if the same was loaded. */
  get state(): string {
    return sha256(JSON.stringify(this.#current().toSorted(([a], [b]) => (a < b ? -1 : 1))));
  }

  /** Modules that settings name are loaded by URL or absolute path. What others import is of no interest. */
  #see({ specifier, url, parent }: ResolvedModule): void {
    const isKnown = parent !== undefined && this.#current().some(([one]) => one === withoutQuery(parent));
    const isNamed = specifier.startsWith('file:') || isAbsolute(specifier);
    if (!url.startsWith('file:') || (!isKnown && !isNamed)) return;
    if (!this.#contents.has(url)) this.#contents.set(url, contentOf(url));
  }

  /** Without their generations. Of a module that was loaded again, what it held last. */
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

/** Loads `node:crypto` only where there are modules to compare: it costs every other start a millisecond. */
function sha256(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content);
}
