import { type ResolveHookSync, registerHooks } from 'node:module';

const GENERATION = /\?tollgate=\d+$/;

/** Returns the query that makes Node load a module again; empty for the first generation. */
export function generationQuery(generation: number): string {
  return generation === 0 ? '' : `?tollgate=${generation}`;
}

/** A resolved import. */
export interface ResolvedModule {
  readonly specifier: string;
  readonly url: string;
  /** URL of the importing module. */
  readonly parent: string | undefined;
}

/**
 * Lets user-supplied modules import `@tollgate/lint` if it is not installed next to them: they get the package of this command. Imports of
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
    return next(specifier, source);
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
