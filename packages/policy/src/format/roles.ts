import type { ConfigField, ConfigType, Interpolation, Profile } from '@tollgate/catalog';
import { isCollection, type SyntaxAlias, type SyntaxCollection, type SyntaxNode } from './syntax-tree.ts';

/** The order of keys; all others follow. */
const KEYS: Readonly<Partial<Record<Role, readonly string[]>>> = {
  policy: ['<<', 'enabled'],
  rule: ['<<', 'name', 'expressions', 'actions'],
  action: ['<<', 'type', 'config'],
};

const ITEMS: Readonly<Partial<Record<Role, Role>>> = { rules: 'rule', expressions: 'expression', actions: 'action' };

/** API requests contain the policy under one of these keys. */
const WRAPPERS: readonly string[] = ['policy', 'module'];

/** The roles of a document's values. */
export interface PolicyRoles {
  readonly of: (node: SyntaxNode) => Role;
  /** The keys that come first, in order. */
  readonly keysOf: (map: SyntaxCollection) => readonly string[];
  readonly isPolicy: boolean;
}

/**
 * Finds the policy in a document by its keys.
 *
 * @param start the part of the document that is or contains the policy
 */
export function findRoles(root: SyntaxNode | undefined, start: SyntaxNode | undefined, profile: Profile): PolicyRoles {
  const { phases } = profile;
  const roles = new Map<SyntaxNode, Role>();
  const aliases: { readonly alias: SyntaxAlias; readonly role: Role }[] = [];
  const body = findBody(start, phases);
  const inConfig = new Map<SyntaxNode, Role>();
  const visit = (node: SyntaxNode | undefined, inherited: Role): void => {
    if (!node) return;
    const found = inConfig.get(node) ?? inherited;
    if (node.kind === 'alias') {
      aliases.push({ alias: node, role: found });
      return;
    }
    const role = node === body ? 'policy' : found;
    // Most values have no role.
    if (role !== 'other' || node.anchor !== undefined) roles.set(node, role);
    if (!isCollection(node)) return;
    if (role === 'action') addConfigRoles(node, profile, inConfig);
    for (const { key, value } of node.slots) visit(value, childRole(role, key?.value, phases));
  };
  visit(root, 'other');
  forgetTheAmbiguous(roles, aliases);
  return {
    of: node => roles.get(node) ?? 'other',
    keysOf: map => {
      const role = roles.get(map) ?? 'other';
      return role === 'policy' ? [...KEYS.policy!, ...phases] : (KEYS[role] ?? []);
    },
    isPolicy: body !== undefined,
  };
}

function findBody(root: SyntaxNode | undefined, phases: readonly string[]): SyntaxNode | undefined {
  if (root?.kind !== 'map') return undefined;
  if (root.slots.some(({ key }) => key && ['enabled', ...phases].includes(key.value))) return root;
  return root.slots.find(({ key, value }) => key && WRAPPERS.includes(key.value) && value?.kind === 'map')?.value;
}

function childRole(role: Role, key: string | undefined, phases: readonly string[]): Role {
  if (key === undefined) return ITEMS[role] ?? (role === 'other' ? 'other' : role);
  if (key === '<<') return role;
  if (role === 'policy') return phases.includes(key) ? 'rules' : 'other';
  if (role === 'rule') return key === 'expressions' || key === 'actions' ? key : 'other';
  return 'other';
}

/** Values with two roles, because of an alias, are left unformatted: an expression may be a plain string elsewhere. */
function forgetTheAmbiguous(
  roles: Map<SyntaxNode, Role>,
  aliases: readonly { readonly alias: SyntaxAlias; readonly role: Role }[],
): void {
  if (aliases.length === 0) return;
  for (const [node, role] of [...roles]) {
    if (node.kind === 'alias' || node.anchor === undefined) continue;
    const uses = aliases.filter(({ alias }) => alias.name === node.anchor);
    if (uses.some(use => use.role !== role)) forget(node, roles);
  }
}

function forget(node: SyntaxNode | undefined, roles: Map<SyntaxNode, Role>): void {
  if (!node) return;
  roles.set(node, 'other');
  if (isCollection(node)) for (const { value } of node.slots) forget(value, roles);
}

/** Adds the roles of configuration values that are expressions or contain expressions. */
function addConfigRoles(action: SyntaxCollection, profile: Profile, roles: Map<SyntaxNode, Role>): void {
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

/** The role of a value in a policy; `filled` is a string that contains expressions. */
export type Role =
  | 'policy'
  | 'rules'
  | 'rule'
  | 'expressions'
  | 'expression'
  | 'actions'
  | 'action'
  | 'filled'
  | 'other';
