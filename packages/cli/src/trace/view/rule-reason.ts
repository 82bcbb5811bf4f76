import type { Phase } from '@tollgate/catalog';
import { EvaluationError, Unknown } from '@tollgate/cel';
import { isUnclearInput, type RuleResult } from '@tollgate/simulator';
import { formatNeeds } from './message-lines.ts';
import { whyFailed, whyFalse } from './reason.ts';
import type { ExpressionView, RuleView } from './trace-view.ts';

/** The data that explains the result of a rule. */
interface ReasonInput {
  readonly result: RuleResult;
  readonly expressions: readonly ExpressionView[];
  readonly isEnabled: boolean;
  readonly phase: Phase;
  /** The rules before it. */
  readonly before: readonly RuleView[];
}

/** Returns why a rule has its result, as a sentence without a subject; undefined if there is nothing to explain. */
export function ruleReason(input: ReasonInput): string | undefined {
  const { result, expressions } = input;
  if (result.status !== 'undetermined' && result.status !== 'not-reached') {
    const unclear = unclearIn(expressions);
    if (unclear.length > 0) return `whether or not the header was sent: ${formatNeeds(unclear)}`;
  }
  const roots = expressions.map(({ root }) => root);
  switch (result.status) {
    case 'matched':
      return expressions.length === 0 ? 'always, because it has no expressions' : undefined;
    case 'not-matched': {
      const root = roots.find(({ results }) => results.at(-1) === false);
      return root && `because ${whyFalse(root)}`;
    }
    case 'failed': {
      const root = roots.find(({ results }) => results.at(-1) instanceof EvaluationError);
      return root && `because ${whyFailed(root)}`;
    }
    case 'undetermined': {
      const isOpen = roots.some(({ results }) => results.at(-1) instanceof Unknown);
      const needs = formatNeeds(result.needs);
      return isOpen ? `needs ${needs}` : `would match if reached, which needs ${needs}`;
    }
    case 'not-reached':
      return notReached(input);
  }
}

/** Returns the headers with several possible meanings that leave expressions unknown, of a rule that is decided all the same. */
function unclearIn(expressions: ReasonInput['expressions']): readonly string[] {
  const results = expressions.map(({ root }) => root.results.at(-1));
  if (results.includes(false)) return [];
  const needs = results.flatMap(result => (result instanceof Unknown ? result.attributes.filter(isUnclearInput) : []));
  return [...new Set(needs)].sort();
}

function notReached({ isEnabled, before, phase }: ReasonInput): string {
  if (!isEnabled) return 'because the policy is disabled';
  const ending = before.findLast(({ result, actions }) =>
    result.status === 'failed' ? true : actions.some(({ trace }) => trace?.ending && trace.needs.length === 0),
  );
  if (phase === 'on_event_stream_message' && ending === undefined) return 'because the response is not an event stream';
  if (ending === undefined) return 'because a module of the route ended evaluation';
  const action = ending.actions.find(({ trace }) => trace?.ending);
  const by = action === undefined ? 'which failed' : `by \`${action.type}\``;
  const isOpen = ending.result.status === 'undetermined';
  return `because ${ruleTitle(ending)} ended evaluation, ${by}${isOpen ? ', unless an earlier rule did' : ''}`;
}

/** Returns the name of a rule in sentences: `inbound 2`. */
export function ruleTitle({ phase, number }: Pick<RuleView, 'phase' | 'number'>): string {
  return `${phase} ${number}`;
}
