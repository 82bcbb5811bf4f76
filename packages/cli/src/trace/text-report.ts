import { humanPosition, type Paint, printable, type SourceText, type Style } from '@tollgate/diagnostics';
import { type Decision, loggedBy, type RuleResult } from '@tollgate/simulator';
import { actionLines, changeLines, isOfTraffic } from './action-lines.ts';
import { type Drawing, drawExpression } from './draw-expression.ts';
import { clientLines, needsText, outcomeText, upstreamLines } from './message-lines.ts';
import { ruleTitle } from './rule-reason.ts';
import type { ModuleView, RuleView, TraceView } from './trace-view.ts';
import { valueText } from './value-text.ts';

/** How a result is told: a mark, words and a colour. */
export const STATUSES: Readonly<Record<RuleResult['status'], readonly [mark: string, words: string, style: Style]>> = {
  matched: ['✓', 'matched', 'hint'],
  'not-matched': ['·', 'not matched', 'frame'],
  failed: ['✗', 'failed', 'error'],
  undetermined: ['?', 'undetermined', 'warning'],
  'not-reached': ['–', 'not reached', 'faint'],
};

/** What a text is made of. */
export interface TextReport {
  readonly title: string;
  readonly source: SourceText;
  readonly view: TraceView;
  /** Those of `view.rules` that are to be shown. */
  readonly rules: readonly RuleView[];
  readonly paint: Paint;
  readonly width: number | undefined;
}

/** Columns where no terminal says how many. */
const DEFAULT_WIDTH = 100;
const INDENT = '    ';

/** A report for people: every rule with the values of its expressions, then what came of it all. */
export function textTrace({ title, source, view, rules, paint, width = DEFAULT_WIDTH }: TextReport): string {
  const drawing: Drawing = { paint, width: Math.max(40, width - INDENT.length) };
  const reasons = new Set<string>();
  const blocks = rules.map(rule => ruleLines(rule, { source, drawing, reasons }).join('\n'));
  const modules = view.modules.map(one => moduleLines(one, paint).join('\n'));
  const sections = [paint('strong', printable(title)), ...modules, ...blocks, ...endSections(view.decision, paint)];
  return `${sections.join('\n\n').replace(/\n\n(?=–[^\n]*not reached\n*)/g, '\n')}\n`;
}

interface RuleLook {
  readonly source: SourceText;
  readonly drawing: Drawing;
  /** Why rules were not reached, told once. */
  readonly reasons: Set<string>;
}

function ruleLines(rule: RuleView, { source, drawing, reasons }: RuleLook): readonly string[] {
  const { paint } = drawing;
  const { status } = rule.result;
  const head = headLine(rule, source, paint);
  const isTold =
    status === 'not-reached' && rule.reason !== undefined && reasons.size === reasons.add(rule.reason).size;
  const reason = rule.reason === undefined || isTold ? [] : [`  ${rule.reason}`];
  if (status === 'not-reached') return [head, ...reason];
  return [
    head,
    ...reason,
    ...rule.expressions.flatMap(({ root, source: text }) => ['', ...drawExpression(root, text, drawing).map(inside)]),
    ...rule.actions.flatMap(action => {
      if (!('actions' in rule.result)) return [];
      return ['', ...actionLines(action, drawing).map(line => (line === '' ? '' : `  ${line}`))];
    }),
  ];
}

function inside(line: string): string {
  return line === '' ? '' : INDENT + line;
}

function headLine(rule: RuleView, source: SourceText, paint: Paint): string {
  const [mark, words, style] = STATUSES[rule.result.status];
  const name = rule.name === undefined ? '' : `  ${paint('strong', printable(rule.name))}`;
  const { line } = humanPosition(source, rule.range.start);
  return `${paint(style, mark)} ${ruleTitle(rule)}${name}  ${paint(style, words)}${paint('faint', `  line ${line}`)}`;
}

function moduleLines({ name, result, changes }: ModuleView, paint: Paint): readonly string[] {
  const [mark, words, style] = STATUSES[result.status];
  const acts = 'actions' in result ? result.actions : [];
  const needs = result.status === 'undetermined' ? [`  needs ${needsText(result.needs)}`] : [];
  const endings = acts.flatMap(({ ending, needs: open }) =>
    ending ? [`  ${open.length > 0 ? 'may end' : 'ends'} the evaluation: ${outcomeText(ending.outcome)}`] : [],
  );
  return [
    `${paint(style, mark)} module ${paint('strong', name)}  ${paint(style, result.status === 'matched' ? 'ran' : words)}`,
    ...needs,
    ...changes.filter(isOfTraffic).flatMap(change => changeLines(change, paint).map(line => `  ${line}`)),
    ...endings,
  ];
}

function endSections(decision: Decision, paint: Paint): readonly string[] {
  const { outcomes, needs } = decision;
  const texts = outcomes.map(outcomeText).join(', or ');
  const open = needs.length === 0 ? '' : `\n  which one needs ${needsText(needs)}`;
  const logged = loggedBy(decision).map(metadata => printable(valueText(metadata)));
  return [
    `${paint('strong', 'outcome')}  ${paint(needs.length === 0 ? 'strong' : 'warning', texts)}${open}`,
    section('the client gets', clientLines(decision, paint), paint),
    section('the upstream gets', upstreamLines(decision, paint), paint),
    ...(logged.length === 0 ? [] : [section('logged', logged, paint)]),
  ];
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return [paint('strong', title), ...lines.map(line => (line === '' ? '' : `  ${line}`))].join('\n');
}
