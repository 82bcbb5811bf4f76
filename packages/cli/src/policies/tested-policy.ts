import { dirname, isAbsolute, join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { type PreparedPolicy, preparePolicy } from '@tollgate/core/documents';
import { createTargeting, type Settings, settingsSaying, type Target } from '@tollgate/core/targeting';
import { ExternalError, type SourceText } from '@tollgate/diagnostics';
import type { PartPath, PolicyTests } from '@tollgate/policy';
import { splitFilePart } from '../input/file-part.ts';
import { readSource } from '../input/read-source.ts';
import type { Terminal } from '../process/terminal.ts';

/** The policy that a test file names. */
export interface TestedPolicy extends PreparedPolicy {
  readonly source: SourceText;
  readonly target: Target;
}

/** Returns the location of the policy that a test file names. */
export function testedPath(
  path: string,
  { policy }: PolicyTests,
): { readonly name: string; readonly part: PartPath | undefined } {
  return splitFilePart(isAbsolute(policy) ? policy : join(dirname(path), policy));
}

/** Reads the policy that a test file names. Returns an error if that fails. */
export async function readTestedPolicy(
  path: string,
  tests: PolicyTests,
  { settings, terminal }: { readonly settings: Settings; readonly terminal: Terminal },
): Promise<TestedPolicy | ExternalError> {
  const { name, part } = testedPath(path, tests);
  const source = await readSource(name, terminal);
  if (source instanceof Error)
    return new ExternalError(source.code, `${source.message}, the policy of \`${path}\``, { cause: source });
  const target = createTargeting(settingsFor(tests, settings))(source);
  if (target instanceof Error) return target;
  return { source, target, ...preparePolicy({ source, target, part }) };
}

/** The test file takes precedence over the settings. */
function settingsFor({ profile, endpoint }: PolicyTests, settings: Settings): Settings {
  return settingsSaying(settings, { profile: PROFILES.find(one => one.name === profile), endpoint });
}
