import { type Phase, type Profile, phasesAt } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf, type MapNode } from '../document/document-node.ts';
import { contentRange } from '../document/mapped-text.ts';
import { checkCondition } from '../expression/check-expression.ts';
import { reportExpression } from '../expression/report-expression.ts';
import type { Reporter } from '../reporter.ts';
import type { Expression, Policy, Rule } from './policy.ts';
import type { PolicyReading } from './policy-reading.ts';
import { readActions } from './read-actions.ts';
import { asItems, asMap, asText, checkKeys, givenValue, isNothing, listed, reportType } from './read-shape.ts';

/** Whole requests of the API and of its clients hold the policy under one of these keys. */
export const WRAPPERS = ['policy', 'module'];

const NO_RULES: Policy['rules'] = {
  inbound: [],
  outbound: [],
  on_tcp_connect: [],
  on_http_request: [],
  on_http_response: [],
  on_event_stream_message: [],
};

/** Reads a policy out of a document. Gives what could be understood, and reports the rest. */
export function readPolicy(root: DocumentNode, reading: PolicyReading): Policy | undefined {
  const { reporter, profile, uri, endpoint } = reading;
  const map = asMap(root, 'a policy', reporter);
  if (!map) return undefined;
  const body = unwrap(map, profile, reporter);
  checkKeys(body, [...profile.documentKeys, ...profile.phases], { what: 'a policy', reporter });
  return {
    uri,
    endpoint,
    range: body.range,
    node: body,
    enabled: readEnabled(body, reporter),
    rules: {
      ...NO_RULES,
      ...Object.fromEntries(profile.phases.map(phase => [phase, readRules(body, phase, reading)])),
    },
  };
}

function unwrap(map: MapNode, profile: Profile, reporter: Reporter): MapNode {
  if (map.entries.some(({ key }) => [...profile.documentKeys, ...profile.phases].includes(key as Phase))) return map;
  const wrapper = WRAPPERS.find(key => givenValue(map, key)?.kind === 'map');
  if (wrapper === undefined) return map;
  const inner = asMap(entryOf(map, wrapper)!.value, `\`${wrapper}\``, reporter)!;
  checkKeys(map, [wrapper, 'id', 'edge_id'], { what: 'a request with a policy', reporter });
  return inner;
}

function readEnabled(body: MapNode, reporter: Reporter): boolean {
  const node = givenValue(body, 'enabled');
  if (!node) return true;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  reportType(reporter, node, { what: '`enabled`', expected: '`true` or `false`' });
  return true;
}

function readRules(body: MapNode, phase: Phase, reading: PolicyReading): readonly Rule[] {
  const node = givenValue(body, phase);
  if (!node) return [];
  reportUnavailablePhase(entryOf(body, phase)!.keyRange, phase, reading);
  const items = asItems(node, `\`${phase}\``, reading.reporter);
  return items.flatMap((item, index) => readRule(item, { phase, index }, reading) ?? []);
}

function reportUnavailablePhase(range: Range, phase: Phase, { profile, endpoint, reporter }: PolicyReading): void {
  const available = phasesAt(profile, endpoint);
  if (available.includes(phase)) return;
  const message = `there is no \`${phase}\` on \`${endpoint}\`, only ${listed(available, 'and')}`;
  reporter.report({ code: 'endpoint/phase-unavailable', message, range, args: { phase, endpoint, available } });
}

function readRule(node: DocumentNode, at: { phase: Phase; index: number }, reading: PolicyReading): Rule | undefined {
  const { reporter } = reading;
  const map = asMap(node, 'a rule', reporter);
  if (!map) return undefined;
  checkKeys(map, ['name', 'expressions', 'actions'], { what: 'a rule', reporter });
  const nameNode = givenValue(map, 'name');
  const name = nameNode && asText(nameNode, '`name`', reporter);
  return {
    ...at,
    name: name && { value: name.value, range: contentRange(name.text) },
    range: map.range,
    expressions: readExpressions(map, at.phase, reading),
    actions: readActions(map, at.phase, reading),
  };
}

function readExpressions(rule: MapNode, phase: Phase, reading: PolicyReading): readonly Expression[] {
  const node = givenValue(rule, 'expressions');
  if (!node) return [];
  const items = asItems(node, '`expressions`', reading.reporter);
  return items.flatMap(item => readExpression(item, phase, reading) ?? []);
}

function readExpression(node: DocumentNode, phase: Phase, reading: PolicyReading): Expression | undefined {
  const { reporter, profile, endpoint, environments } = reading;
  const unquoted = isUnquoted(node);
  if (unquoted) reportUnquoted(node, reading);
  const written = unquoted ? undefined : asText(node, 'an expression', reporter);
  if (!written) return undefined;
  const { value: source, range, text } = written;
  const place = { endpoint, phase };
  const { typed, diagnostics } = checkCondition(source, { profile, place, environment: environments[phase] });
  for (const diagnostic of diagnostics) reportExpression(diagnostic, text, reporter);
  return { source, range, text, typed };
}

/** Whether YAML took an expression for something else: `- true` for a bool, `- a == ': '` for a map. */
function isUnquoted(node: DocumentNode): boolean {
  if (node.kind === 'scalar') return !isNothing(node) && typeof node.value !== 'string';
  return node.kind === 'map' && node.entries.length === 1 && node.entries[0]!.keyRange.start === node.range.start;
}

function reportUnquoted({ kind, range }: DocumentNode, { reporter, document }: PolicyReading): void {
  const written = document.slice(range.start, range.end).trimEnd();
  const why = kind === 'map' ? '; `: ` makes this a map, unless there are quotes around it' : '; put quotes around it';
  const edit = { range: { start: range.start, end: range.start + written.length }, newText: quoted(written) };
  reporter.report({
    code: 'policy/unquoted-expression',
    message: `an expression must be a text${why}`,
    range: edit.range,
    args: { value: written },
    ...(written.includes('\n')
      ? {}
      : { fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits: [edit] }] }),
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
