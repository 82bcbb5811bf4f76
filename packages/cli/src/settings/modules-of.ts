import { dirname, resolve } from 'node:path';
import type { LoadedSettings } from './load-settings.ts';

/** Returns the absolute paths of the extensions and lint rules that a project file names. */
export function modulesOf(project: LoadedSettings['project']): readonly string[] {
  if (!project) return [];
  const values: Readonly<Record<string, unknown>> = { ...project.value };
  const { lint } = values;
  const load = typeof lint === 'object' && lint !== null && 'load' in lint ? lint.load : undefined;
  const named = [values.env, load].flatMap(list => (Array.isArray(list) ? list : []));
  return named.filter(one => typeof one === 'string').map(name => resolve(dirname(project.path), name));
}
