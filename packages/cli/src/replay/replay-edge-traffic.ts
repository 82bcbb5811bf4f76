// `tollgate replay --edge`.

import { ruleNames } from '@tollgate/reports';
import { type ReplayOptions, type Route, replayEdge } from '@tollgate/simulator';
import { type ExitCode, stoppable, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { loadEdge } from '../publish/load-edge.ts';
import { threadsRemark } from './replay-options.ts';
import { isStoppable, ReplayReporting } from './replay-reporting.ts';
import { type ReplayArguments, replayOptions } from './replay-traffic.ts';

/** The arguments and options of `tollgate replay --edge`. */
export type EdgeReplayArguments = Omit<ReplayArguments, 'policy' | 'endpoint'> & {
  /** Path of the edge in the form that the API returns, or `live:TARGET`. */
  readonly edge: string;
  /** The environment of a live target. */
  readonly environment?: string;
};

/** Replays traffic through an edge, each request through its route. If a policy has errors, they are reported and nothing runs. */
export async function replayEdgeTraffic(args: EdgeReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const [unsupported] = (['where', 'sample', 'since', 'until', 'follow'] as const).filter(
    name => args[name] !== undefined,
  );
  if (unsupported) throw new UsageError(`\`--${unsupported}\` does not work with \`--edge\`; replay one policy`);
  const reporting = new ReplayReporting(args, terminal);
  const loaded = await loadEdge(args.edge, args, terminal);
  if ('refused' in loaded) return reporting.refuse(loaded.refused);
  const { edge, policies, target, report } = loaded;
  const names = new Map([...policies].map(([route, policy]) => [route, ruleNames(policy, target.profile)]));
  const running = {
    options: replayOptions(args, target),
    namesOf: (route?: Route) => (route && names.get(route)) ?? [],
  };
  const remark = threadsRemark(args);
  if (remark !== undefined) printMessage(terminal, remark);
  const summary = await reporting.during(running, given => {
    const run = (options: ReplayOptions) => replayEdge({ edge, policies }, options);
    return isStoppable(args) ? stoppable(stop => run({ ...given, watch: { ...given.watch, stop } })) : run(given);
  });
  const { exchanges, files, skipped, isPartial, unrouted, open } = summary;
  return reporting.finish({
    kind: 'edge',
    name: args.edge,
    profile: target.profile.name,
    endpoint: undefined,
    origin: args.origin,
    report,
    traffic: { exchanges, files, skipped, ...(isPartial && { isPartial }) },
    parts: summary.routes.map(({ route, exchanges: taken, ...policy }) => ({
      route,
      exchanges: taken,
      summary: policy,
    })),
    unrouted: { unrouted, open },
  });
}
