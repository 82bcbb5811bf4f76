import { type Phase, terminationOf } from '@tollgate/catalog';
import type { TextEdit } from '@tollgate/diagnostics';
import { entryOf, type ListNode, type MapEntryNode, type MapNode } from '../../document/model/document-node.ts';
import { removeEntries, removeItems } from '../../edits/remove-node.ts';
import type { Action, Policy, Rule } from '../../model/policy.ts';
import { rewriteExpression } from '../expression/rewrite-expression.ts';
import { migrateActions } from './migrate-actions.ts';
import { addExpression, editOrGiveUp, lose, type MigrationState, newPhase } from './migration-state.ts';

/** Migrates the policy in a document. */
export function migrateDocument(migrating: MigrationState, policy: Policy): void {
  const body = policy.node;
  if (!migrating.isPart && isInside(migrating.document, policy)) reportRequest(migrating, policy);
  const removed = body.entries.filter(entry => isRemoved(migrating, entry));
  // A document must not be empty.
  const emptied = removed.length === body.entries.length ? removed.at(-1) : undefined;
  if (emptied) migrating.edits.push(emptiedEntry(migrating, emptied));
  const edits = removeEntries(
    migrating.document,
    body,
    removed.filter(entry => entry !== emptied),
  );
  edits.forEach((edit, index) => {
    editOrGiveUp(migrating, edit, removed[index]!.keyRange, `\`${removed[index]!.key}\``);
  });
  for (const phase of migrating.from.phases) migratePhase(migrating, body, policy.rules[phase], phase);
  reportResponsePhase(migrating, policy);
}

/** Returns true if anything but comments and markers precedes the policy in its document. */
function isInside(document: string, { range }: Policy): boolean {
  const marker = document.lastIndexOf('\n---', range.start);
  const before = document.slice(Math.max(marker, 0), range.start).replace(/^\ufeff/, '');
  return before.replace(/^(?:#|---|%).*$|[ \t]#.*$/gm, '').trim() !== '';
}

function reportRequest(migrating: MigrationState, { range }: Policy): void {
  lose(migrating, {
    code: 'migrate/request',
    message:
      'policy inside a request, which stays unchanged; put the migrated policy in `traffic_policy` as one string',
    range: { start: range.start, end: range.start },
  });
}

/** Returns true if the new profile has no such entry, and reports the loss. */
function isRemoved(migrating: MigrationState, entry: MapEntryNode): boolean {
  const { from, to } = migrating;
  if (entry.key === 'enabled' && !to.documentKeys.includes('enabled')) {
    reportDisabled(migrating, entry);
    return true;
  }
  const phase = from.phases.find(one => one === entry.key);
  if (phase === undefined || newPhase(migrating, phase) !== undefined) return false;
  reportPhase(migrating, entry);
  return true;
}

function reportDisabled(migrating: MigrationState, entry: MapEntryNode): void {
  if (entry.value.kind !== 'scalar' || entry.value.value !== false) return;
  lose(migrating, {
    code: 'migrate/enabled',
    message: 'the new profile cannot disable a policy in its document; detach it, or it will be applied',
    range: entry.keyRange,
  });
}

/** Connections have no response; response rules could only log. */
function reportPhase(migrating: MigrationState, entry: MapEntryNode): void {
  if (entry.value.kind !== 'list' || entry.value.items.length === 0) return;
  lose(migrating, {
    code: 'migrate/dropped-phase',
    message: `\`${entry.key}\` has no counterpart on \`${migrating.endpoint}\`, so its rules are removed`,
    range: entry.keyRange,
    args: { phase: entry.key, endpoint: migrating.endpoint },
  });
}

/** Returns the edit that turns the entry into a phase without rules. */
function emptiedEntry(migrating: MigrationState, { keyRange, value }: MapEntryNode): TextEdit {
  const { document } = migrating;
  const end = keyRange.end + document.slice(keyRange.end, Math.max(value.range.end, keyRange.end)).trimEnd().length;
  const quote = /["']/.exec(document[keyRange.start - 1] ?? '')?.[0] ?? '';
  // An omitted value may come without a colon.
  const isWhole = document.slice(keyRange.end, end).includes(':');
  const range = { start: keyRange.start, end: isWhole ? end : endOfColon(document, keyRange.end) };
  return { range, newText: `${newPhase(migrating, 'inbound')}${quote}: []` };
}

function endOfColon(document: string, from: number): number {
  return document.indexOf(':', from) + 1;
}

function migratePhase(migrating: MigrationState, body: MapNode, rules: readonly Rule[], phase: Phase): void {
  const entry = entryOf(body, phase);
  const target = newPhase(migrating, phase);
  if (!entry || target === undefined) return;
  if (target !== phase) migrating.edits.push({ range: entry.keyRange, newText: target });
  const list = entry.value;
  if (list.kind !== 'list') return;
  const removed = rules.flatMap(rule => migrateRule(migrating, list, rule, target) ?? []);
  removeItems(migrating.document, list, removed).forEach((edit, index) => {
    editOrGiveUp(migrating, edit, removed[index]!.range, 'this rule');
  });
}

/** Migrates a rule. Returns its list item if no action is left. */
function migrateRule(migrating: MigrationState, list: ListNode, rule: Rule, phase: Phase): MapNode | undefined {
  const item = list.items.find(one => one.range.start === rule.range.start);
  if (item?.kind !== 'map') return undefined;
  if (migrateActions(migrating, rule, item, phase)) return item;
  for (const { typed, text } of rule.expressions) {
    if (!typed) continue;
    const rewritten = rewriteExpression(typed, migrating.environments[rule.phase], migrating.counterparts);
    addExpression(migrating, text, rewritten);
  }
  return undefined;
}

/** Profiles differ in whether response rules run on the edge's own answers. */
function reportResponsePhase({ from, to, ...migrating }: MigrationState, policy: Policy): void {
  if (from.switches.responsePhaseAfterAnswer === to.switches.responsePhaseAfterAnswer) return;
  if (policy.rules.outbound.length === 0) return;
  const answer = policy.rules.inbound.flatMap(rule => rule.actions).find(mayAnswer);
  if (!answer) return;
  lose(
    { from, to, ...migrating },
    {
      code: 'migrate/response-phase',
      message: 'response rules did not run on this answer, and now do',
      range: answer.type.range,
    },
  );
}

/** Not `deny`, which ends the whole policy in every profile. */
function mayAnswer(action: Action): boolean {
  return action.type.value !== 'deny' && action.fact !== undefined && terminationOf(action) !== 'never';
}
