import { UsageError } from '../process/usage-error.ts';
import { requireTrust } from './require-trust.ts';

/** What decides whether a module may run. */
export interface ModuleTrust {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The settings file that names the module; undefined if the command line does. */
  readonly namedIn: string | undefined;
  /** True if no module may run, trusted or not. */
  readonly runsNoCode?: true;
  /** Called for a module that may not run. */
  readonly onUntrusted?: (error: UsageError) => void;
}

/** Returns true if a module may run. For any other, calls `onUntrusted` with the reason, or throws it as {@link UsageError}. */
export function mayRun(module: string, { env, namedIn, runsNoCode, onUntrusted }: ModuleTrust): boolean {
  try {
    if (runsNoCode) throw new UsageError(`\`${module}\` does not run: the editor has not trusted this workspace`);
    requireTrust(module, env, namedIn);
    return true;
  } catch (error) {
    if (!onUntrusted || !(error instanceof UsageError)) throw error;
    onUntrusted(error);
    return false;
  }
}
