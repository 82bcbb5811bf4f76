import type { Report } from 'scslre';
import { patternTreeOf } from '../../analyses/file/pattern-trees.ts';
import { checkPatterns } from '../../analyses/literals/pattern-uses.ts';
import { backtrackingAnalyser } from '../../regex/analysers.ts';
import { loopDepth, mayBacktrack } from '../../regex/may-backtrack.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Backtracking without bound needs two repetitions without bound, one of which may be a repetition of a group with the other. */
const REPEATED_TWICE = /(?:[*+]|\{\d+,\}).*(?:[*+]|\{\d+(?:,\d*)?\})/s;

/** Beyond these the analyser may take seconds: nobody writes such a pattern by hand. */
const MAX_LENGTH = 500;
const MAX_DEPTH = 6;

/** `(a+)+$`. */
export const REDOS: LintRule = {
  id: 'regex/redos',
  severity: 'warning',
  summary: 'a pattern that engines which backtrack take forever for',
  rationale:
    'The edge runs patterns in linear time (RE2). The same pattern in an application, a log pipeline or a database, whose engines go ' +
    'back and try again, may take seconds or years for a text that was made for it. Such a pattern can match one text in many ways, ' +
    'and is nearly always simpler than it looks.',
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
  check: checkPatterns(({ pattern, placeOf }, context) => {
    if (pattern.length > MAX_LENGTH || !REPEATED_TWICE.test(pattern)) return;
    const tree = patternTreeOf(pattern, context.file);
    if (!tree || loopDepth(tree) > MAX_DEPTH || !mayBacktrack(tree)) return;
    for (const report of reportsOf(pattern, tree.root.start)) {
      const { start, end } = repeatedPart(report);
      const sign = report.character.pick;
      const time = report.exponential ? 'that doubles with each' : 'that grows with the square of their number';
      context.report({
        range: placeOf({ start: start + tree.root.start, end: end + tree.root.start }),
        message: `many \`${sign}\`, and then something else, cost engines that backtrack a time ${time}; write it so that a text can match in one way only`,
        args: { character: sign, exponential: report.exponential },
      });
    }
  }),
};

/** Of what the analyser finds, that each place of the text is tried anew is left out: it is so for most patterns without an anchor. */
function reportsOf(pattern: string, start: number): readonly Report[] {
  const source = pattern.slice(start).replaceAll('(?P<', '(?<');
  const flags = /^\(\?[msU]*i/.test(pattern) ? 'i' : '';
  const { reports } = backtrackingAnalyser().analyse(
    { source, flags },
    { maxReports: 1, reportTypes: { Move: false } },
  );
  return reports;
}

/** The repetition whose ways to match are too many. */
function repeatedPart(report: Report): { readonly start: number; readonly end: number } {
  return report.type === 'Trade' ? report.startQuant : report.quant;
}
