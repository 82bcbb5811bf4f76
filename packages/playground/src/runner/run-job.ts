// Runs one job. Whatever goes wrong becomes a report.

import { ANSI, ExternalError, printable, type Report, textReport } from '@tollgate/diagnostics';
import { LogFormatError } from '@tollgate/traffic';
import type { Job, JobResult } from '../jobs.ts';
import { projectFiles } from '../project/host.ts';
import { type LoadedPolicy, loadPolicy, type Refusal } from '../project/load-policy.ts';
import { type LoadedProject, loadProject, type ProjectFiles } from '../project/load-project.ts';
import { diffPolicies, proveAll } from './compare.ts';
import { compilePolicy, evaluateExpression } from './compile-and-evaluate.ts';
import { RequestError } from './requests.ts';
import { runTestFiles } from './tests.ts';
import { replayRecordings, traceRequests } from './trace-and-replay.ts';

/** Returns the result of a job. Rejects only if we are wrong. */
export async function runJob(job: Job, progress: (text: string) => void): Promise<JobResult> {
  const files = projectFiles(job, '');
  const project = loadProject(files);
  const wrong = project.diagnostics.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) return reported({ sources: project.sources, diagnostics: wrong }, job);
  try {
    return await run(job, { files, project, progress });
  } catch (error) {
    const isKnown = error instanceof ExternalError || error instanceof RequestError || error instanceof LogFormatError;
    if (!isKnown) throw error;
    return { text: `${ANSI('error', 'error:')} ${printable(error.message)}\n`, isBad: true };
  }
}

interface Running {
  readonly files: ProjectFiles;
  readonly project: LoadedProject;
  readonly progress: (text: string) => void;
}

async function run(job: Job, { files, project, progress }: Running): Promise<JobResult> {
  const withPolicy = <Result>(name: string, use: (loaded: LoadedPolicy) => Result): Result | JobResult => {
    const loaded = loadPolicy(files, project, { policy: name });
    return isRefused(loaded) ? reported(loaded.refused, job) : use(loaded);
  };
  switch (job.kind) {
    case 'trace':
      return withPolicy(job.policy, loaded => traceRequests(loaded, job));
    case 'replay':
      return withPolicy(job.policy, loaded => replayRecordings(loaded, job, progress));
    case 'diff':
      return withPolicy(job.before, before => withPolicy(job.after, after => diffPolicies(before, after, job)));
    case 'prove':
      return proveAll(files, project, job);
    case 'test':
      return runTestFiles(files, project, job);
    case 'compile':
      return withPolicy(job.policy, loaded => compilePolicy(loaded, job));
    case 'expression':
      return evaluateExpression(project, job);
  }
}

function isRefused(loaded: LoadedPolicy | Refusal): loaded is Refusal {
  return 'refused' in loaded;
}

function reported(report: Report, { width }: Job): JobResult {
  return { text: textReport(report, { paint: ANSI, width }), isBad: true };
}
