import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A module to load on first use. */
export interface LateModule {
  /** Name of its chunk. */
  readonly name: string;
  /** The specifier with which the module `from` imports it. */
  readonly module: string;
  readonly from: string;
}

/**
 * Returns a plugin that loads modules on first use although they are imported statically: each becomes a chunk, and importers get getters.
 * Other modules must not use them while they are evaluated, nor assign to their exports.
 */
export function loadLate(late: readonly LateModule[]): {
  readonly entries: Record<string, string>;
  readonly plugin: Plugin;
} {
  const places = new Map<string, string>();
  const endings = new Set(late.map(one => endingOf(one.module)));
  const plugin: Plugin = {
    name: 'load-late',
    async buildStart() {
      for (const { name, module, from } of late) {
        const found = await this.resolve(module, `${ROOT}${from}`, { skipSelf: true });
        if (!found) throw new Error(`${from} imports no ${module}`);
        places.set(found.id, name);
      }
    },
    async resolveId(source, importer, options) {
      if (source.startsWith(ENTRY)) return source;
      if (importer?.startsWith(GETTERS)) return { id: source, external: true };
      if (importer?.startsWith(ENTRY)) return source;
      if (!endings.has(endingOf(source))) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const name = found && places.get(found.id);
      return name === undefined ? found : `${GETTERS}${name}`;
    },
    async load(id) {
      const [kind, name] = [ENTRY, GETTERS].flatMap(prefix =>
        id.startsWith(prefix) ? [prefix, id.slice(prefix.length)] : [],
      );
      if (name === undefined) return null;
      const [place = ''] = [...places].find(([, one]) => one === name) ?? [];
      const names = Object.keys(await import(place)).filter(one => one !== 'default' && one !== 'module.exports');
      return kind === ENTRY ? entry(place, names) : getters(name, names);
    },
  };
  return { entries: Object.fromEntries(late.map(({ name }) => [name, `${ENTRY}${name}`])), plugin };
}

const ENTRY = '\0late-entry:';
const GETTERS = '\0late:';

/** Returns the last part of a specifier, which rules most modules out without resolving them. */
function endingOf(specifier: string): string {
  return specifier.slice(specifier.lastIndexOf('/') + 1);
}

function entry(place: string, names: readonly string[]): string {
  return `export { ${names.join(', ')} } from ${JSON.stringify(place)};`;
}

function getters(name: string, names: readonly string[]): string {
  const all = names.map(one => `get ${one}() { return load().${one}; }`);
  return `let loaded;
const load = () => (loaded ??= require('./${name}.cjs'));
module.exports = { __esModule: true, ${all.join(', ')} };`;
}
