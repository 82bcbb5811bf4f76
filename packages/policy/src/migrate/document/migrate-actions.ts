import { isAvailable, type Phase } from '@tollgate/catalog';
import type { MapNode } from '../../document/model/document-node.ts';
import { removeItems } from '../../edits/remove-node.ts';
import type { Action, Rule } from '../../model/policy.ts';
import { givenValue } from '../../model/read-shape.ts';
import { migrateConfig } from './migrate-config.ts';
import { editOrGiveUp, lose, type MigrationState } from './migration-state.ts';

/** Migrates the actions of a rule. Returns true if none is left, so that the rule must be removed. */
export function migrateActions(migrating: MigrationState, rule: Rule, node: MapNode, phase: Phase): boolean {
  const dropped = rule.actions.filter(action => isWithoutEffect(action, rule.phase, migrating.from.name));
  for (const action of dropped) {
    const message = `removed \`${action.type.value}\`, which had no effect in \`${rule.phase}\``;
    lose(migrating, {
      code: 'migrate/dropped-action',
      message,
      range: action.type.range,
      args: { action: action.type.value },
    });
  }
  if (dropped.length === rule.actions.length && dropped.length > 0) return true;
  removeActions(migrating, dropped, node);
  for (const action of rule.actions) {
    if (!dropped.includes(action)) migrateAction(migrating, action, { from: rule.phase, to: phase });
  }
  return false;
}

/** Compressing a response that does not exist yet was accepted and did nothing. */
function isWithoutEffect(action: Action, phase: Phase, profile: string): boolean {
  return profile.startsWith('edge-v2') && action.type.value === 'compress-response' && phase === 'inbound';
}

function removeActions(migrating: MigrationState, dropped: readonly Action[], rule: MapNode): void {
  const list = givenValue(rule, 'actions');
  if (list?.kind !== 'list') return;
  const items = list.items.filter(item => dropped.some(action => action.range.start === item.range.start));
  removeItems(migrating.document, list, items).forEach((edit, index) => {
    editOrGiveUp(migrating, edit, items[index]!.range, 'this action');
  });
}

function migrateAction(migrating: MigrationState, action: Action, phases: { from: Phase; to: Phase }): void {
  const { type, fact, configNode } = action;
  const target = migrating.to.actions.find(one => one.type === type.value);
  if (!fact) return;
  if (!target || !isAvailable(target, { endpoint: migrating.endpoint, phase: phases.to })) {
    const message = `\`${type.value}\` has no counterpart in \`${phases.to}\``;
    lose(migrating, { code: 'migrate/no-counterpart', severity: 'error', message, range: type.range });
    return;
  }
  migrateConfig(migrating, configNode, { from: fact, to: target, phases, range: type.range });
  reportUserAgent(migrating, action);
}

/** In the new profile, actions cannot change this header. */
function reportUserAgent(migrating: MigrationState, { type, configNode }: Action): void {
  if (!['add-headers', 'remove-headers'].includes(type.value) || migrating.to.name !== 'modern') return;
  const headers = configNode && givenValue(configNode, 'headers');
  const ranges =
    headers?.kind === 'map'
      ? headers.entries.filter(one => one.key.toLowerCase() === 'user-agent').map(one => one.keyRange)
      : headers?.kind === 'list'
        ? headers.items.flatMap(one => (one.kind === 'scalar' && isUserAgent(one.value) ? [one.range] : []))
        : [];
  for (const range of ranges) {
    const message = `\`${type.value}\` can no longer change \`User-Agent\``;
    lose(migrating, { code: 'migrate/no-counterpart', severity: 'error', message, range });
  }
}

function isUserAgent(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'user-agent';
}
