import type { ConfigField, ConfigType, Interpolation, Profile } from '@tollgate/catalog';
import { isCollection, type SyntaxCollection, type SyntaxNode } from '../syntax/syntax-tree.ts';
import type { Role } from './role.ts';

/** Adds the roles of configuration values that are expressions or contain expressions. */
export function addConfigRoles(action: SyntaxCollection, profile: Profile, roles: Map<SyntaxNode, Role>): void {
  const type = member(action, 'type');
  const config = member(action, 'config');
  const fact = profile.actions.find(one => type?.kind === 'scalar' && one.type === type.value);
  if (fact && config) visitFields(config, fact.config, { outer: undefined, roles });
}

interface Visit {
  readonly outer: Interpolation | undefined;
  readonly roles: Map<SyntaxNode, Role>;
}

function visitFields(map: SyntaxNode, fields: readonly ConfigField[], { outer, roles }: Visit): void {
  if (map.kind !== 'map') return;
  for (const { name, type, interpolation } of fields) {
    const value = member(map, name);
    if (value) visitValue(value, type, { outer: interpolation ?? outer, roles });
  }
}

function visitValue(node: SyntaxNode, type: ConfigType, visit: Visit): void {
  if (type.kind === 'object') visitFields(node, type.fields, visit);
  else if (isCollection(node)) {
    const of = type.kind === 'list' ? type.of : type.kind === 'map' ? type.value : type;
    for (const { value } of node.slots) if (value) visitValue(value, of, visit);
  } else if (node.kind === 'scalar') {
    if (type.kind === 'expression') visit.roles.set(node, 'expression');
    else if (visit.outer?.endsWith('expressions')) visit.roles.set(node, 'filled');
  }
}

function member({ slots }: SyntaxCollection, name: string): SyntaxNode | undefined {
  return slots.find(({ key }) => key?.value === name)?.value;
}
