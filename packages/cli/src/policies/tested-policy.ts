import { dirname, isAbsolute, join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { type PreparedPolicy, preparePolicy } from '@tollgate/core/documents';
import {
  createTargeting,
  type Settings,
  settingsSaying,
  type Target,
  targetOfEmbedded,
} from '@tollgate/core/targeting';
import { ExternalError } from '@tollgate/diagnostics';
import type { EmbeddedPolicy, PartPath, PolicyTests } from '@tollgate/policy';
import { splitFilePart } from '../input/file-part.ts';
import { readSource } from '../input/read-source.ts';
import { singlePolicy } from '../input/single-policy.ts';
import type { Terminal } from '../process/terminal.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';

/** How a file names a policy. */
export type PolicyChoice = Pick<PolicyTests, 'policy' | 'profile' | 'endpoint'>;

/** The policy that a test file or a file of invariants names. */
interface TestedPolicy extends PreparedPolicy {
  /** Its findings refer to its own document. */
  readonly embedded: EmbeddedPolicy;
  readonly target: Target;
}

/** Returns the location of the policy that a test file names. */
export function testedPath(
  path: string,
  { policy }: Pick<PolicyTests, 'policy'>,
): { readonly name: string; readonly part: PartPath | undefined } {
  return splitFilePart(isAbsolute(policy) ? policy : join(dirname(path), policy));
}

/** What reading the policy of a test file takes. */
interface TestedPolicyOptions extends Pick<LoadedSettings, 'settings' | 'carriers'> {
  readonly terminal: Terminal;
}

/** Reads the policy that a test file names. Returns an error if that fails. */
export async function readTestedPolicy(
  path: string,
  tests: PolicyChoice,
  { settings, carriers, terminal }: TestedPolicyOptions,
): Promise<TestedPolicy | ExternalError> {
  const { name, part } = testedPath(path, tests);
  const file = await readSource(name, terminal, { repositoryOf: dirname(path) });
  if (file instanceof Error)
    return new ExternalError(file.code, `${file.message}, the policy of \`${path}\``, { cause: file });
  const embedded = singlePolicy(file, part, await carriers(file.uri));
  if (embedded instanceof Error) return embedded;
  const target = targetOfEmbedded(embedded, createTargeting(settingsFor(tests, settings)));
  if (target instanceof Error) return target;
  return { embedded, target, ...preparePolicy({ source: embedded.source, target, part: embedded.part }) };
}

/** The test file takes precedence over the settings. */
function settingsFor({ profile, endpoint }: PolicyChoice, settings: Settings): Settings {
  return settingsSaying(settings, { profile: PROFILES.find(one => one.name === profile), endpoint });
}
