import { registerHooks } from 'node:module';

/**
 * Lets modules that a user writes import `@tollgate/lint` where it is not installed beside them: it is then the one that this command
 * runs with. What is installed there goes first.
 */
export function provideOwnPackages(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      if (!specifier.startsWith('@tollgate/')) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}
