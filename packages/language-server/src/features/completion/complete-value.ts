import { type ConfigType, PARAMETER_PREFIX, REPLACEMENT_VARIABLES, type Sample } from '@tollgate/catalog';
import { LINT_PRESETS, OUTCOMES, type Policy } from '@tollgate/policy';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { describeAction } from '../../describe/describe-facts.ts';
import { describeField } from '../../describe/describe-types.ts';
import { RULE_KEYS, ruleNames } from '../../snapshot/invariants-snapshot.ts';
import { completeKeys, configSnippet, type Position } from './complete-keys.ts';
import { STATUSES } from './known-values.ts';
import type { Suggestion } from './suggestion.ts';

/** Returns the values that a scalar may have. */
export function completeValue(position: Position): readonly Suggestion[] {
  const { shape, context } = position;
  const { type, role } = shape;
  if (role === 'action-type') return actionTypes(position);
  if (type.kind === 'object' && context.isFlow) return completeKeys(position);
  if (type.kind === 'list') return context.at === 'key' ? [item(position)] : listValues(type, position);
  const { claims } = position.snapshot;
  if (claims && RULE_KEYS.some(key => key === shape.field?.name)) return rulesOf(claims.tested.policy, position);
  const replacements = replacementVariables(position);
  return replacements.length > 0 ? replacements : scalarValues(type, position);
}

/** The rules of the policy that invariants are about. */
function rulesOf(policy: Policy, { word }: Position): readonly Suggestion[] {
  return ruleNames(policy).map(label => ({ label, kind: CompletionItemKind.Reference, detail: 'rule', range: word }));
}

function actionTypes(position: Position): readonly Suggestion[] {
  const { shape, document, word, context } = position;
  const { type } = shape;
  if (type.kind !== 'choice') return [];
  const siblings = context.path.at(-1)?.siblings();
  const isAlone = !context.isFlow && !siblings?.has('config') && context.style === undefined;
  return document.profile.actions
    .filter(fact => type.values.includes(fact.type))
    .map(fact => ({
      ...{ label: fact.type, kind: CompletionItemKind.Struct, range: word },
      detail: fact.outcome,
      documentation: () => describeAction(fact),
      ...(isAlone && { snippet: `${fact.type}${configSnippet(fact, document, shape)}` }),
    }));
}

/** Begins an item of a list whose key is on the line above. */
function item({ offset }: Position): Suggestion {
  return {
    label: '- ',
    kind: CompletionItemKind.Operator,
    detail: 'item',
    range: { start: offset, end: offset },
    continues: true,
  };
}

function listValues(type: Extract<ConfigType, { kind: 'list' }>, position: Position): readonly Suggestion[] {
  return type.orOne ? scalarValues(type.of, position) : [];
}

function scalarValues(type: ConfigType, { shape, word, snapshot }: Position): readonly Suggestion[] {
  const { field } = shape;
  const documentation = () => field && describeField(field);
  const value = (label: string, detail?: string): Suggestion => ({
    ...{ label, kind: CompletionItemKind.Value, range: word, documentation },
    ...(detail !== undefined && { detail }),
    ...(isDefault(label, field?.default) && { rank: 0, detail: detail ?? 'default' }),
  });
  if (type.kind === 'bool') return [value('true'), value('false')];
  if (type.kind === 'choice') return type.values.map(one => value(one, outcomeOf(one)));
  if (type.kind === 'int' && (field?.role === 'status' || field?.name === 'status' || field?.name === 'status_code')) {
    const isAllowed = (code: number) =>
      type.values ? type.values.includes(code) : code >= type.min && code <= type.max;
    return STATUSES.filter(one => isAllowed(Number(one.value))).map(one => value(one.value, one.meaning));
  }
  if (type.kind === 'int' && type.values) return type.values.map(one => value(String(one)));
  if (type.kind === 'duration') return ['30s', '60s', '10m', '1h'].map(one => value(one));
  if (snapshot.kind === 'project' && field?.name === 'extends') return LINT_PRESETS.map(one => value(one, 'preset'));
  if (type.kind === 'any' && snapshot.kind === 'project')
    return ['off', 'hint', 'info', 'warning', 'error'].map(one => value(one));
  return [];
}

function outcomeOf(value: string): string | undefined {
  return new Map<string, string>(Object.entries(OUTCOMES)).get(value);
}

function isDefault(label: string, value: Sample | undefined): boolean {
  return value !== undefined && String(value) === label;
}

/** After a `$` in the replacement of a pattern: groups of the pattern, and variables of the request. */
function replacementVariables({ shape, context, snapshot, offset }: Position): readonly Suggestion[] {
  const { interpolation } = shape;
  const found = /\$\{?(\w*)$/.exec(snapshot.source.text.slice(Math.max(context.start, offset - 100), offset));
  if (!found || !interpolation?.includes('captures')) return [];
  const range = { start: offset - found[1]!.length, end: offset };
  const pattern = context.path.at(-1)?.siblings().get('from') ?? '';
  const groups = pattern.match(/\((?!\?[^P<])/g)?.length ?? 0;
  const numbers = Array.from(
    { length: groups },
    (_, index): Suggestion => ({
      ...{ label: String(index + 1), kind: CompletionItemKind.Reference, detail: 'capture group', range },
    }),
  );
  if (!interpolation.includes('request')) return numbers;
  const named = REPLACEMENT_VARIABLES.map(
    ({ name, doc }): Suggestion => ({
      ...{ label: name, kind: CompletionItemKind.Variable, range },
      documentation: () => doc,
    }),
  );
  return [
    ...numbers,
    ...named,
    { label: PARAMETER_PREFIX, kind: CompletionItemKind.Variable, detail: 'query parameter', range },
  ];
}
