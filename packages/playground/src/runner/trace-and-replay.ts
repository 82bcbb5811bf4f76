// Runs a policy on requests that somebody wrote, and on recordings.

import { simulationOptions } from '@tollgate/core/documents';
import { ANSI, printable, textReport } from '@tollgate/diagnostics';
import { rangeInFile } from '@tollgate/policy';
import { buildView, formatCount, type TraceReport, textReplay, textTrace } from '@tollgate/reports';
import { htmlReplay, htmlTrace } from '@tollgate/reports/html';
import { createSimulation, replay } from '@tollgate/simulator';
import { nothingRead } from '@tollgate/traffic';
import type { JobResult, ReplayJob, TraceJob } from '../jobs.ts';
import type { LoadedPolicy } from '../project/load-policy.ts';
import { recordingReader } from './recordings.ts';
import { RequestError, readRequests } from './requests.ts';

/** Returns the reports on all requests; counters carry over from one to the next. */
export function traceRequests(loaded: LoadedPolicy, job: TraceJob): JobResult {
  const { embedded, policy, environments, target, report } = loaded;
  const { profile, endpoint } = target;
  const requests = readRequests(job.requests);
  if (requests.length === 0) throw new RequestError('expected a request, such as `curl https://example.com/`');
  const options = { profile, environments, ...runSettings(job) };
  const run = createSimulation(policy, options).begin();
  const style = { paint: ANSI, width: job.width };
  const reports = requests.map(({ exchange }): TraceReport => {
    const view = buildView({ policy, profile, trace: run.trace(exchange) });
    return {
      ...{ file: embedded.file.uri, profile: profile.name, endpoint, exchange, source: embedded.file },
      ...{ warnings: report, routing: undefined, view, rules: view.rules },
      inFile: range => rangeInFile(embedded, range),
    };
  });
  const warnings = report.diagnostics.length === 0 ? '' : `${textReport(report, style)}\n`;
  const traces = reports.map((one, index) => {
    const head = reports.length === 1 ? '' : `${ANSI('strong', `${index + 1}. ${requests[index]!.title}`)}\n\n`;
    return `${head}${textTrace(one, style)}`;
  });
  const [only] = reports;
  return {
    text: `${warnings}${traces.join(`\n${ANSI('frame', '─'.repeat(Math.min(job.width, 60)))}\n\n`)}`,
    isBad: false,
    ...(reports.length === 1 && { html: htmlTrace(only!) }),
  };
}

/** Returns the options of a run as the simulator takes them. */
export function runSettings({
  now,
  seed,
  origin,
}: {
  now?: string | undefined;
  seed?: number | undefined;
  origin?: string | undefined;
}) {
  return simulationOptions({ ...(now !== undefined && { now: Date.parse(now) }), seed, origin });
}

/** Returns the report on a replay. */
export async function replayRecordings(
  loaded: LoadedPolicy,
  job: ReplayJob,
  progress: (text: string) => void,
): Promise<JobResult> {
  const { policy, environments, target, report } = loaded;
  const { profile, endpoint } = target;
  const files = job.recordings.map(({ name }) => name);
  const size = job.recordings.reduce((sum, { content }) => sum + content.size, 0);
  let [read, shown] = [0, 0];
  const reader = recordingReader(job.recordings, bytes => {
    read += bytes;
    if (read - shown < PROGRESS_BYTES) return;
    shown = read;
    progress(`${Math.floor((100 * read) / size)} % of ${formatCount(Math.round(size / 1000))} kB read`);
  });
  const origin = job.origin === '' ? undefined : job.origin;
  const options = { profile, environments, files, reader, ...runSettings({ ...job, origin }), breakdown: { top: TOP } };
  const { exchanges, files: summaries, skipped, isPartial, selection: _, ...summary } = await replay(policy, options);
  const failures = summaries.flatMap(({ failure }) => failure ?? []);
  const failed = failures.map(({ code, message }) => {
    const problem = code === 'traffic/unknown-format' ? withoutRemedy(message) : message;
    return `${ANSI('error', 'error:')} ${printable(problem)}\n`;
  });
  if (exchanges === 0) {
    const count = summaries.reduce((sum, file) => sum + file.skipped, 0);
    const example = skipped.flatMap(({ first }) => first)[0];
    const nothing = failures.length > 0 ? '' : nothingRead({ files, skipped: count, example }).message;
    return {
      text: failed.join('') || `${ANSI('error', 'error:')} ${printable(withoutRemedy(nothing))}\n`,
      isBad: true,
    };
  }
  const result = {
    ...{ kind: 'policy' as const, name: job.policy, profile: profile.name, endpoint, origin, report },
    engine: { name: 'js' as const },
    traffic: { exchanges, files: summaries, skipped, ...(isPartial && { isPartial }) },
    parts: [{ exchanges, summary }],
  };
  const style = { paint: ANSI, width: job.width };
  const warnings = report.diagnostics.length === 0 ? '' : `${textReport(report, style)}\n`;
  return {
    text: `${failed.join('')}${warnings}${textReplay(result, style)}`,
    html: htmlReplay(result),
    isBad: failures.length > 0,
  };
}

/** Returns a message without what to do about it, which is about options of the command. */
function withoutRemedy(message: string): string {
  const end = message.lastIndexOf('; ');
  return end < 0 ? message : message.slice(0, end);
}

/** How many of the most frequent clients and paths are shown, as by the command. */
const TOP = 5;

/** Progress is told after this many bytes. */
const PROGRESS_BYTES = 1_000_000;
