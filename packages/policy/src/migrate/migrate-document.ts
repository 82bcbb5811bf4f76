import type { Phase } from '@tollgate/catalog';
import { entryOf, type ListNode, type MapEntryNode, type MapNode } from '../document/document-node.ts';
import type { Policy, Rule } from '../model/policy.ts';
import { migrateActions } from './migrate-actions.ts';
import { addExpression, editOrGiveUp, lose, type Migrating, newPhase } from './migration-state.ts';
import { removeEntry, removeItem } from './remove-node.ts';
import { rewriteExpression } from './rewrite-expression.ts';

/** Edits the part of a document that is a policy. */
export function migrateDocument(migrating: Migrating, policy: Policy): void {
  const body = policy.node;
  if (isInside(migrating.document, policy)) reportRequest(migrating, policy);
  const enabled = entryOf(body, 'enabled');
  if (enabled && !migrating.to.documentKeys.includes('enabled')) dropEnabled(migrating, body, enabled);
  for (const phase of migrating.from.phases) migratePhase(migrating, body, policy.rules[phase], phase);
  reportResponsePhase(migrating, policy);
}

/** Whether there is anything before the policy but comments and marks of documents. */
function isInside(document: string, { range }: Policy): boolean {
  const before = document.slice(0, range.start).replace(/^\ufeff/, '');
  return before.replace(/^(?:#|---|%).*$|[ \t]#.*$/gm, '').trim() !== '';
}

function reportRequest(migrating: Migrating, { range }: Policy): void {
  lose(migrating, {
    code: 'migrate/request',
    message:
      'requests hold a policy of the new profile as one text, in `traffic_policy`; what is around this one stays as it is',
    range: { start: range.start, end: range.start },
  });
}

function dropEnabled(migrating: Migrating, body: MapNode, entry: MapEntryNode): void {
  editOrGiveUp(migrating, removeEntry(migrating.document, body, entry), entry.keyRange, '`enabled`');
  if (entry.value.kind !== 'scalar' || entry.value.value !== false) return;
  lose(migrating, {
    code: 'migrate/enabled',
    message: 'a policy of the new profile cannot be disabled in its document: it will be applied where it is attached',
    range: entry.keyRange,
  });
}

function migratePhase(migrating: Migrating, body: MapNode, rules: readonly Rule[], phase: Phase): void {
  const entry = entryOf(body, phase);
  const target = newPhase(migrating, phase);
  if (!entry) return;
  if (target === undefined) {
    dropPhase(migrating, body, entry);
    return;
  }
  if (target !== phase) migrating.edits.push({ range: entry.keyRange, newText: target });
  if (entry.value.kind !== 'list') return;
  for (const rule of rules) migrateRule(migrating, entry.value, rule, target);
}

/** Connections have no response; all that rules for one could do was to log. */
function dropPhase(migrating: Migrating, body: MapNode, entry: MapEntryNode): void {
  const isOnly = body.entries.length === 1;
  const edit = isOnly ? emptied(migrating, entry) : removeEntry(migrating.document, body, entry);
  editOrGiveUp(migrating, edit, entry.keyRange, `\`${entry.key}\``);
  if (entry.value.kind !== 'list' || entry.value.items.length === 0) return;
  lose(migrating, {
    code: 'migrate/dropped-phase',
    message: `\`${entry.key}\` has no counterpart on \`${migrating.endpoint}\`; its rules are left out`,
    range: entry.keyRange,
    args: { phase: entry.key, endpoint: migrating.endpoint },
  });
}

/** A document must have something in it. */
function emptied(migrating: Migrating, { keyRange, value }: MapEntryNode) {
  const end =
    keyRange.end + migrating.document.slice(keyRange.end, Math.max(value.range.end, keyRange.end)).trimEnd().length;
  const isQuoted = /["']/.test(migrating.document[keyRange.start - 1] ?? '');
  const newText = isQuoted ? 'on_tcp_connect": []' : 'on_tcp_connect: []';
  return { range: { start: keyRange.start, end }, newText };
}

function migrateRule(migrating: Migrating, list: ListNode, rule: Rule, phase: Phase): void {
  const item = list.items.find(one => one.range.start === rule.range.start);
  if (item?.kind !== 'map') return;
  if (migrateActions(migrating, rule, item, phase)) {
    editOrGiveUp(migrating, removeItem(migrating.document, list, item), item.range, 'this rule');
    return;
  }
  for (const { typed, text } of rule.expressions) {
    if (!typed) continue;
    const rewritten = rewriteExpression(typed, migrating.environments[rule.phase], migrating.counterparts);
    addExpression(migrating, text, rewritten);
  }
}

/** Whether the rules for responses run on what the edge itself answered is another matter in each profile. */
function reportResponsePhase({ from, to, ...migrating }: Migrating, policy: Policy): void {
  if (from.switches.responsePhaseAfterAnswer === to.switches.responsePhaseAfterAnswer) return;
  if (policy.rules.outbound.length === 0) return;
  const answer = policy.rules.inbound
    .flatMap(rule => rule.actions)
    .find(action => action.type.value === 'custom-response');
  if (!answer) return;
  lose(
    { from, to, ...migrating },
    {
      code: 'migrate/response-phase',
      message: 'rules for responses did not run on this answer, and now do',
      range: answer.type.range,
    },
  );
}
