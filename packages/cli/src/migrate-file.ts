import { type EndpointKind, PROFILES, type Profile } from '@tollgate/catalog';
import { choosePaint, InternalError, type SourceText, textReport } from '@tollgate/diagnostics';
import { detectProfile, type Migration, migratePolicy } from '@tollgate/policy';
import { EXIT, type ExitCode } from './exit-code.ts';
import { STANDARD_INPUT } from './input/find-inputs.ts';
import { readSource } from './input/read-source.ts';
import { replaceFile } from './output/replace-file.ts';
import type { Terminal } from './terminal.ts';

/** The options of `tollgate migrate`. */
export interface MigrateOptions {
  readonly from?: 'edge-v2' | 'edge-v2-snake';
  readonly to: 'modern';
  readonly endpoint: EndpointKind;
  readonly write?: boolean;
}

/** Migrates one file, and reports what is lost. */
export async function migrateFile(file: string, options: MigrateOptions, terminal: Terminal): Promise<ExitCode> {
  const source = await readSource(file, terminal);
  if (source instanceof Error) throw source;
  const { text, diagnostics } = migrate(source, options);
  const isFinished = !diagnostics.some(one => one.severity === 'error');
  const isInPlace = options.write === true && file !== STANDARD_INPUT;
  const failure = text !== undefined && isInPlace && isFinished ? await replaceFile(file, text) : undefined;
  if (failure) throw failure;
  if (text !== undefined && !isInPlace) terminal.write(text);
  const report = textReport(
    { sources: [source], diagnostics },
    { paint: choosePaint(terminal.isInteractive, terminal.env) },
  );
  // The policy is what goes on in a pipe.
  if (isInPlace) terminal.write(report);
  else if (diagnostics.length > 0) terminal.writeError(report);
  return isFinished ? EXIT.clean : EXIT.findings;
}

function migrate(source: SourceText, { from, to, endpoint }: MigrateOptions): Migration {
  const profile = from === undefined ? detectProfile(source.text).profile : profileNamed(from);
  return migratePolicy(source, { from: profile, to: profileNamed(to), endpoint });
}

function profileNamed(name: string): Profile {
  const found = PROFILES.find(profile => profile.name === name);
  if (!found) throw new InternalError(`no profile \`${name}\``);
  return found;
}
