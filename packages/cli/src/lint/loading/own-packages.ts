import { type ResolveHookSync, registerHooks } from 'node:module';

const GENERATION = /\?tollgate=\d+$/;

/** What the URL of a module ends with that is to be loaded anew; nothing for the first generation. */
export function generationQuery(generation: number): string {
  return generation === 0 ? '' : `?tollgate=${generation}`;
}

/** What a specifier stands for in a module. */
export interface ResolvedModule {
  readonly specifier: string;
  readonly url: string;
  /** The URL of the module that imports it. */
  readonly parent: string | undefined;
}

/**
 * Lets modules that a user writes import `@tollgate/lint` where it is not installed beside them: it is then the one that this command
 * runs with. What is installed there goes first. What a module of a later generation imports is of that generation too, but for packages.
 *
 * @param see is called with every module that is resolved
 * @returns what ends it
 */
export function provideOwnPackages(see: (module: ResolvedModule) => void = () => {}): () => void {
  const resolve: ResolveHookSync = (specifier, context, next) => {
    const generation = GENERATION.exec(context.parentURL ?? '')?.[0];
    if (!specifier.startsWith('@tollgate/')) {
      const found = next(specifier, context);
      const isOwn = generation !== undefined && found.url.startsWith('file:') && !found.url.includes('/node_modules/');
      return isOwn ? { ...found, url: found.url + generation } : found;
    }
    try {
      return next(specifier, context);
    } catch {
      return next(specifier, { ...context, parentURL: import.meta.url });
    }
  };
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = resolve(specifier, context, next);
      see({ specifier, url: found.url, parent: context.parentURL });
      return found;
    },
  });
  return () => hooks.deregister();
}
