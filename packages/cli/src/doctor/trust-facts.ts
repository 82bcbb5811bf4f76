import type { Terminal } from '../process/terminal.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { modulesOf } from '../settings/modules-of.ts';
import { requireTrust } from '../trust/require-trust.ts';
import { readTrust, trustFile } from '../trust/trust-store.ts';
import type { DoctorFact } from './doctor-report.ts';

/** Returns which directories are trusted, and which of the modules that settings name may run. */
export function trustFacts(project: LoadedSettings['project'], { env }: Terminal): readonly DoctorFact[] {
  const store = trustFile(env);
  const list: DoctorFact =
    store === undefined
      ? { name: 'trusted directories', value: 'none: the user has no configuration directory' }
      : storedFact(store);
  const modules = modulesOf(project).map((module): DoctorFact => {
    const refusal = refusalOf(module, env, project?.path);
    return refusal === undefined
      ? { name: 'module', value: `${module} may run` }
      : { name: 'module', value: `${module} may not run`, problem: refusal };
  });
  return [list, ...modules];
}

function storedFact(store: string): DoctorFact {
  const name = 'trusted directories';
  try {
    return { name, value: String(readTrust(store).directories.length), from: store };
  } catch (error) {
    return { name, value: 'unreadable', from: store, problem: messageOf(error) };
  }
}

function refusalOf(module: string, env: Terminal['env'], namedIn: string | undefined): string | undefined {
  try {
    requireTrust(module, env, namedIn);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
