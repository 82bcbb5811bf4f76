// What a policy does, in words: for terminals, in Markdown and as JSON.

import type { EndpointKind, Phase, Profile } from '@tollgate/catalog';
import { describePolicy, labelOf, phrasesOfRule, type RuleSentence, textOfPhrases } from '@tollgate/describe';
import {
  humanPosition,
  jsonText,
  type Paint,
  PLAIN,
  printable,
  type ReportOptions,
  type SourceText,
} from '@tollgate/diagnostics';
import { markdownCode, markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import { type EmbeddedPolicy, type Policy, rangeInFile } from '@tollgate/policy';
import { pluralize } from './text/figures.ts';
import { proseWidth, wrapText } from './text/layout.ts';

/** A policy to describe, and where it is. */
export interface DescribedPolicy {
  readonly policy: Policy;
  readonly embedded: EmbeddedPolicy;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
}

/** What rules run on, by phase. */
const TITLES: Readonly<Record<Phase, string>> = {
  inbound: 'Requests and connections',
  outbound: 'Responses',
  on_tcp_connect: 'Connections',
  on_http_request: 'Requests',
  on_http_response: 'Responses',
  on_event_stream_message: 'Messages of event streams',
};

/** Prints the description of policies for a terminal. */
export function textDescriptions(all: readonly DescribedPolicy[], options: ReportOptions = {}): string {
  return `${all.map(one => textDescription(one, options)).join('\n\n')}\n`;
}

function textDescription(described: DescribedPolicy, options: ReportOptions): string {
  const { policy, embedded, profile } = described;
  const paint = options.paint ?? PLAIN;
  const words = describePolicy(policy, profile);
  const width = proseWidth({ paint, width: options.width });
  const wrapped = (text: string, indent: string) =>
    wrapText(printable(text), width - indent.length).map(line => `${indent}${line}`);
  const lines = [paint('strong', titleOf(described)), ''];
  for (const { outcome, rules } of words.outcomes) {
    lines.push(...wrapped(`${capitalized(outcome)}: ${rules.map(at => labelOf(words.rules[at]!)).join(', ')}`, '  '));
  }
  lines.push(...wrapped(words.rest, '  '));
  for (const phase of profile.phases) {
    const rules = words.rules.filter(rule => rule.phase === phase);
    if (rules.length > 0) lines.push('', paint('strong', TITLES[phase]));
    for (const rule of rules) lines.push(...textRule(rule, { paint, line: lineOf(rule, embedded), wrapped }));
  }
  if (words.dependencies.length > 0) lines.push('', paint('strong', 'Not decided by the request alone'));
  for (const { rule, on } of words.dependencies) {
    lines.push(...wrapped(`\`${labelOf(words.rules[rule]!)}\` depends on ${on}.`, '  '));
  }
  return lines.join('\n');
}

interface RuleLines {
  readonly paint: Paint;
  readonly line: number;
  readonly wrapped: (text: string, indent: string) => readonly string[];
}

function textRule(rule: RuleSentence, { paint, line, wrapped }: RuleLines): readonly string[] {
  const name = rule.name === undefined ? '' : ` ${printable(rule.name)}`;
  const head = `  ${rule.number}${name} ${paint('faint', `(line ${line})`)}`;
  const whole = textOfPhrases(phrasesOfRule(rule));
  if (rule.conditions.length < 2 || whole.length <= MAX_SENTENCE) return [head, ...wrapped(whole, '    ')];
  const last = rule.conditions.length - 1;
  const conditions = rule.conditions.map(textOfPhrases).flatMap((text, at) => {
    const [first = '', ...others] = wrapped(`${text}${at === last ? ':' : at === last - 1 ? ', and' : ','}`, '      ');
    return [first.replace(/^ {6}/, '    - '), ...others];
  });
  const done = textOfPhrases(phrasesOfRule({ ...rule, conditions: [] })).replace('Always ', '');
  return [head, '    When', ...conditions, ...wrapped(done, '    ')];
}

/** A longer sentence is printed as a list. */
const MAX_SENTENCE = 180;

/** Prints the description of policies in Markdown. */
export function markdownDescriptions(all: readonly DescribedPolicy[]): string {
  return `${all.map(markdownDescription).join('\n\n')}\n`;
}

function markdownDescription(described: DescribedPolicy): string {
  const { policy, embedded, profile } = described;
  const words = describePolicy(policy, profile);
  const outcomes = words.outcomes.map(({ outcome, rules }) => [
    capitalized(outcome),
    rules.map(at => markdownText(labelOf(words.rules[at]!))).join(', '),
  ]);
  const rules = words.rules.map(
    rule =>
      `- **${markdownText(labelOf(rule))}** (line ${lineOf(rule, embedded)}): ${textOfPhrases(phrasesOfRule(rule))}`,
  );
  const dependencies = words.dependencies.map(
    ({ rule, on }) => `- ${markdownText(labelOf(words.rules[rule]!))} depends on ${on}.`,
  );
  return [
    `### ${markdownCode(embedded.file.uri)}`,
    ...(outcomes.length === 0 ? [] : [markdownTable(['outcome', 'rules'], outcomes)]),
    words.rest,
    ...(rules.length === 0 ? [] : [rules.join('\n')]),
    ...(dependencies.length === 0 ? [] : [dependencies.join('\n')]),
  ].join('\n\n');
}

/** Prints the description of policies as JSON. Columns and lines count from 1, columns in characters. */
export function jsonDescriptions(all: readonly DescribedPolicy[]): string {
  return `${jsonText({ version: 1, policies: all.map(jsonDescription) }, 2)}\n`;
}

function jsonDescription({ policy, embedded, profile, endpoint }: DescribedPolicy): object {
  const words = describePolicy(policy, profile);
  return {
    file: embedded.file.uri,
    profile: profile.name,
    endpoint,
    outcomes: words.outcomes,
    rest: words.rest,
    rules: words.rules.map(rule => ({
      phase: rule.phase,
      number: rule.number,
      ...(rule.name !== undefined && { name: rule.name }),
      line: lineOf(rule, embedded),
      text: textOfPhrases(phrasesOfRule(rule)),
      phrases: phrasesOfRule(rule).map(({ text, range, isCode }) => ({
        text,
        ...(range && { range: placeOf(rangeInFile(embedded, range), embedded.file) }),
        ...(isCode && { isCode }),
      })),
    })),
    dependencies: words.dependencies,
  };
}

function placeOf({ start, end }: { readonly start: number; readonly end: number }, file: SourceText): object {
  return { start: humanPosition(file, start), end: humanPosition(file, end) };
}

function titleOf({ embedded, profile, policy, endpoint }: DescribedPolicy): string {
  const count = profile.phases.reduce((sum, phase) => sum + policy.rules[phase].length, 0);
  return `${printable(embedded.file.uri)}: ${pluralize(count, 'rule')} for ${endpoint}`;
}

function lineOf({ range }: RuleSentence, embedded: EmbeddedPolicy): number {
  return embedded.file.positionAt(rangeInFile(embedded, range).start).line + 1;
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
