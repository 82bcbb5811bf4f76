import { textReport } from '@tollgate/diagnostics';
import { findingsInFile } from '@tollgate/policy';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { reportStyle, type Terminal } from '../../process/terminal.ts';
import type { PolicyFile } from '../project/policy-file.ts';
import type { Planning } from './make-plan.ts';

/** Reports the errors of policies that would be written, as `tollgate check` does. Undefined if there are none. */
export function refuseBrokenPolicies(
  { plan, files }: Pick<Planning, 'plan' | 'files'>,
  terminal: Terminal,
): ExitCode | undefined {
  const changed = new Set<PolicyFile>();
  for (const { target, isChanged } of plan.targets) {
    const file = files.get(target.name);
    if (file && isChanged) changed.add(file);
  }
  const broken = [...changed].flatMap(file => {
    const errors = file.analyse().analysis.diagnostics.filter(({ severity }) => severity === 'error');
    const embedded = file.locate();
    return errors.length > 0 ? [{ source: embedded.file, errors: findingsInFile(embedded, errors) }] : [];
  });
  if (broken.length === 0) return undefined;
  const sources = broken.map(({ source }) => source);
  const diagnostics = broken.flatMap(({ errors }) => errors);
  terminal.writeError(textReport({ sources, diagnostics }, reportStyle(terminal)));
  return EXIT.findings;
}
