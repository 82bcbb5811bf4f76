// `tollgate migrate`.

import { type EndpointKind, PROFILES, type Profile } from '@tollgate/catalog';
import type { Settings } from '@tollgate/core/targeting';
import { choosePaint, InternalError, SourceText, textReport } from '@tollgate/diagnostics';
import {
  detectProfile,
  type EmbeddedPolicy,
  findingsInFile,
  migratePolicy,
  type PartPath,
  rewriteInFile,
} from '@tollgate/policy';
import { singlePolicy, splitFilePart } from '../input/document-parts.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { loadSettings, reportSettings } from '../input/load-settings.ts';
import { readSource } from '../input/read-source.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { checkRewrite } from './check-rewrite.ts';

/** The options of `tollgate migrate`. */
interface MigrateOptions {
  readonly from?: 'edge-v2' | 'edge-v2-snake';
  readonly to: 'modern';
  readonly endpoint?: EndpointKind;
  readonly env?: readonly string[];
  readonly write?: boolean;
  /** Prints a policy that a person must complete. */
  readonly partial?: boolean;
  /** Path of the policies in a file that is named without one. */
  readonly at?: PartPath;
}

/** Migrates one file, and reports what cannot be migrated. */
export async function migrateFile(argument: string, options: MigrateOptions, terminal: Terminal): Promise<ExitCode> {
  const { from: profile, endpoint, env } = options;
  const given = { ...(profile && { profile }), ...(endpoint && { endpoint }), ...(env && { env }) };
  const loaded = await loadSettings(given, terminal);
  if (loaded.diagnostics.length + loaded.failures.length > 0) return reportSettings(loaded, terminal);
  const { name: file, part: named = options.at } = splitFilePart(argument);
  const whole = await readSource(file, terminal);
  if (whole instanceof Error) throw whole;
  const embedded = singlePolicy(whole, named, await loaded.embeddedSettings(whole.uri));
  if (embedded instanceof Error) throw embedded;
  const { source, part } = embedded;
  const { from, to, endpoint: at } = migrationTarget(embedded, options, loaded.settings);
  const { text, diagnostics } = migratePolicy(source, { from, to, endpoint: at, ...(part && { part }) });
  if (text !== undefined) {
    const [old, migrated] = [from, to].map(one => ({ profile: one, endpoint: at, part }));
    const promise = { kind: 'migrate', from: old!, to: migrated!, reported: diagnostics } as const;
    const broken = await checkRewrite({ before: source, after: new SourceText(source.uri, text) }, promise);
    if (broken) throw broken;
  }
  const { file: migrated, refusal } =
    text === undefined ? {} : rewriteInFile(embedded, text, await loaded.embeddedSettings(whole.uri));
  const found = findingsInFile(embedded, refusal ? [...diagnostics, refusal] : diagnostics);
  const isFinished = !found.some(diagnostic => diagnostic.severity === 'error');
  const isInPlace = options.write === true && file !== STANDARD_INPUT;
  const failure = migrated && isInPlace && isFinished ? await replaceFile(file, migrated.text) : undefined;
  if (failure) throw failure;
  if (migrated && !isInPlace && (isFinished || options.partial)) terminal.write(migrated.text);
  const report = textReport(
    { sources: [whole], diagnostics: found },
    { paint: choosePaint(terminal.isInteractive, terminal.env) },
  );
  // In a pipe, standard output carries the policy.
  if (isInPlace) terminal.write(report);
  else if (found.length > 0) terminal.writeError(report);
  if (migrated && !isFinished && !options.partial) terminal.writeError(UNFINISHED);
  return isFinished ? EXIT.clean : EXIT.findings;
}

const UNFINISHED =
  'tollgate: the converted policy is not complete, so it is not written; `--partial` prints it for you to complete\n';

/** Settings that name the new profile do not apply to a policy in the old one. */
function migrationTarget({ file, source, range }: EmbeddedPolicy, { to }: MigrateOptions, settings: Settings) {
  const own = settings.ofFile(file.uri);
  const text = source.text.slice(range.start, range.end);
  const given = own.profile ?? settings.profile;
  const from = given !== undefined && given.name !== to ? given : detectProfile(text).profile;
  const endpoint = own.endpoint ?? settings.endpoint ?? from.endpoints[0]!;
  return {
    from: settings.adapt(from),
    to: settings.adapt(profileNamed(to)),
    endpoint: from.endpoints.includes(endpoint) ? endpoint : from.endpoints[0]!,
  };
}

function profileNamed(name: string): Profile {
  const found = PROFILES.find(profile => profile.name === name);
  if (!found) throw new InternalError(`no profile \`${name}\``);
  return found;
}
