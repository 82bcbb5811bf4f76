import { type EndpointKind, PROFILES, type Profile } from '@tollgate/catalog';
import { choosePaint, InternalError, type SourceText, textReport } from '@tollgate/diagnostics';
import { type Migration, migratePolicy } from '@tollgate/policy';
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
  const migration = migrate(source, options);
  const { text, diagnostics } = migration;
  const isFinished = !diagnostics.some(one => one.severity === 'error');
  const isInPlace = options.write === true && file !== STANDARD_INPUT;
  if (text !== undefined && isInPlace && isFinished) await replaceFile(file, text);
  else if (text !== undefined && !isInPlace) terminal.write(text);
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
  const candidates = from === undefined ? (['edge-v2', 'edge-v2-snake'] as const) : [from];
  const migrations = candidates.map(name =>
    migratePolicy(source, { from: profileNamed(name), to: profileNamed(to), endpoint }),
  );
  return migrations.reduce((best, other) => (isBetter(other, best) ? other : best));
}

/** One that has errors to begin with is no migration at all. */
function isBetter(one: Migration, other: Migration): boolean {
  if ((one.text === undefined) !== (other.text === undefined)) return one.text !== undefined;
  return errorCount(one) < errorCount(other);
}

function errorCount({ diagnostics }: Migration): number {
  return diagnostics.filter(one => one.severity === 'error').length;
}

function profileNamed(name: string): Profile {
  const found = PROFILES.find(profile => profile.name === name);
  if (!found) throw new InternalError(`no profile \`${name}\``);
  return found;
}
