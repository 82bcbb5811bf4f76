import { analyse, type Report } from 'scslre';
import { checkPatterns, patternTreeOf } from '../../analyses/patterns.ts';
import { loopDepth, mayBacktrack } from '../../readers/pattern-tree.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Unbounded backtracking needs two unbounded repetitions, in sequence or nested. */
const REPEATED_TWICE = /(?:[*+]|\{\d+,\}).*(?:[*+]|\{\d+(?:,\d*)?\})/s;

/** Longer or deeper patterns, which nobody writes by hand, may take the analyzer seconds. */
const MAX_LENGTH = 500;
const MAX_DEPTH = 6;

/** Reports `(a+)+$`. */
export const REDOS: LintRule = {
  id: 'regex/redos',
  severity: 'warning',
  summary: 'pattern vulnerable to catastrophic backtracking',
  rationale:
    'The edge matches patterns in linear time (RE2). Backtracking engines, such as those in many applications, log pipelines and ' +
    'databases, may take seconds or years on a crafted string if the same pattern is reused there. The cause is a pattern that matches ' +
    'a string in more than one way; there is nearly always a simpler one.',
  bad: {
    policy: `\
inbound:
  - name: old pages
    expressions: ["req.Path.matches('^/old/(«[a-z]+»)+$')"]
    actions: [{ type: deny, config: { status_code: 410 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: old pages
    expressions: ["req.Path.matches('^/old/[a-z]+$')"]
    actions: [{ type: deny, config: { status_code: 410 } }]
`,
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: checkPatterns(({ pattern, rangeOf }, context) => {
    if (pattern.length > MAX_LENGTH || !REPEATED_TWICE.test(pattern)) return;
    const tree = patternTreeOf(pattern, context.file);
    if (!tree || loopDepth(tree) > MAX_DEPTH || !mayBacktrack(tree)) return;
    for (const report of reportsOf(pattern, tree.root.start)) {
      const { start, end } = repeatedPart(report);
      const character = report.character.pick;
      const time = report.exponential ? 'exponential' : 'quadratic';
      context.report({
        range: rangeOf({ start: start + tree.root.start, end: end + tree.root.start }),
        message: `pattern takes ${time} time on many \`${character}\` in backtracking engines; make it match in only one way`,
        args: { character, exponential: report.exponential },
      });
    }
  }),
};

/** Runs the analyzer without reports about retrying at each position, which holds for most patterns without an anchor. */
function reportsOf(pattern: string, start: number): readonly Report[] {
  const source = pattern.slice(start).replaceAll('(?P<', '(?<');
  const flags = /^\(\?[msU]*i/.test(pattern) ? 'i' : '';
  const { reports } = analyse({ source, flags }, { maxReports: 1, reportTypes: { Move: false } });
  return reports;
}

/** Returns the range of the repetition that can match in too many ways. */
function repeatedPart(report: Report): { readonly start: number; readonly end: number } {
  return report.type === 'Trade' ? report.startQuant : report.quant;
}
