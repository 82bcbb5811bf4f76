import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  type EndpointKind,
  type Interpolation,
  isAvailable,
  type Phase,
  PROFILES,
  type Profile,
  phasesAt,
} from '@tollgate/catalog';
import type { Target } from '@tollgate/core/targeting';
import { INVARIANTS_FIELDS, PROJECT_FIELDS, TESTS_FIELDS } from '@tollgate/policy';
import type { DocumentKind } from '../host.ts';
import { CONDITION_KEYS, type Snapshot } from '../snapshot.ts';
import type { PositionContext, Step } from './position-context.ts';

/** What a document may contain at a position. */
export interface Shape {
  readonly type: ConfigType;
  /** The field that the type belongs to. */
  readonly field: ConfigField | undefined;
  /** The phase of the rule around it, if the phase exists in the profile. */
  readonly phase: Phase | undefined;
  /** The action whose configuration contains the position. */
  readonly action: ActionFact | undefined;
  readonly interpolation: Interpolation | undefined;
  /** What the position is in a policy. */
  readonly role: 'policy' | 'rule' | 'condition' | 'action' | 'action-type' | 'config' | undefined;
}

/** The document that a position belongs to. */
export interface ShapedDocument {
  readonly kind: DocumentKind;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
  /** True if nothing in the document says which profile it has. */
  readonly isGuessed: boolean;
  /** What policies are checked against; undefined for other documents. */
  readonly target: Target | undefined;
  /** The phase of expressions outside of policies. */
  readonly phase: Phase | undefined;
  /** Number of steps from the root of the document to the policy. */
  readonly depth: number;
}

const NAME: ConfigField = { name: 'name', type: { kind: 'string' }, doc: 'A label for people.' };
const EXPRESSIONS: ConfigField = {
  name: 'expressions',
  type: { kind: 'list', of: { kind: 'expression', result: 'bool' } },
  doc: 'CEL conditions that must all hold. A rule without conditions always matches.',
};
const ENABLED: ConfigField = {
  name: 'enabled',
  type: { kind: 'bool' },
  doc: 'Whether the policy applies to traffic.',
  default: true,
};
const WRAPPERS: readonly string[] = ['policy', 'module', 'traffic_policy'];

/** The keys of a file of invariants, with expressions as such. */
const CLAIM_FIELDS: readonly ConfigField[] = INVARIANTS_FIELDS.map(field => {
  const { type } = field;
  if (type.kind !== 'list' || type.of.kind !== 'object') return field;
  const fields = type.of.fields.map((one): ConfigField => {
    const isCondition = CONDITION_KEYS.some(key => key === one.name);
    return isCondition ? { ...one, type: { kind: 'expression', result: 'bool' } } : one;
  });
  return { ...field, type: { ...type, of: { kind: 'object', fields } } };
});

/** Returns what may stand where a path leads; undefined if nothing is known about it. */
export function shapeAt({ path }: Pick<PositionContext, 'path'>, document: ShapedDocument): Shape | undefined {
  let shape: Shape | undefined = rootShape(document);
  for (const step of path.slice(document.depth)) shape = shape && shapeOf(step, shape, document);
  return shape;
}

function rootShape({ kind, profile, endpoint, isGuessed, phase }: ShapedDocument): Shape {
  const base = { field: undefined, phase: undefined, action: undefined, interpolation: undefined, role: undefined };
  if (kind === 'tests') return { ...base, type: { kind: 'object', fields: TESTS_FIELDS } };
  if (kind === 'invariants') return { ...base, phase, type: { kind: 'object', fields: CLAIM_FIELDS } };
  if (kind === 'project') return { ...base, type: { kind: 'object', fields: PROJECT_FIELDS } };
  // The current profile comes first.
  const profiles = isGuessed ? PROFILES.toReversed() : [profile];
  const possible = profiles.flatMap(one => phasesAt(one, one === profile ? endpoint : one.endpoints[0]!));
  const phases = [...new Set(possible)].map((phase): ConfigField => {
    const doc = profiles.find(one => one.phaseFacts[phase])?.phaseFacts[phase]?.doc ?? '';
    return { name: phase, type: { kind: 'list', of: { kind: 'any' } }, doc };
  });
  const enabled = profile.documentKeys.includes('enabled') ? [ENABLED] : [];
  return { ...base, type: { kind: 'object', fields: [...phases, ...enabled] }, role: 'policy' };
}

function shapeOf(step: Step, shape: Shape, document: ShapedDocument): Shape | undefined {
  const { type, role } = shape;
  if (role === 'policy' && step.key !== undefined && WRAPPERS.includes(step.key)) return shape;
  if (step.key === undefined) return itemShape(shape, document);
  if (role === 'action' && step.key === 'config') return configShape(step, shape, document);
  if (type.kind === 'map') return { ...shape, type: type.value, role: shape.role };
  if (type.kind !== 'object') return undefined;
  const field = type.fields.find(one => one.name === step.key);
  if (!field) return undefined;
  const interpolation = field.interpolation ?? shape.interpolation;
  const phase = role === 'policy' ? document.profile.phases.find(one => one === step.key) : shape.phase;
  return { ...shape, type: field.type, field, phase, interpolation, role: roleOf(step.key, shape) };
}

function roleOf(key: string, { role }: Shape): Shape['role'] {
  if (role === 'policy') return key === 'enabled' ? undefined : 'policy';
  if (role === 'rule') return key === 'expressions' ? 'condition' : key === 'actions' ? 'action' : undefined;
  if (role === 'action') return key === 'type' ? 'action-type' : 'action';
  return role;
}

function itemShape(shape: Shape, document: ShapedDocument): Shape | undefined {
  const { type, role, field, phase } = shape;
  if (type.kind !== 'list') return undefined;
  if (role === 'policy' && phase) {
    const actions: ConfigField = {
      name: 'actions',
      type: { kind: 'list', of: { kind: 'object', fields: actionFields(document, phase) } },
      required: true,
      doc: 'What to do when the rule matches, in order.',
    };
    return { ...shape, type: { kind: 'object', fields: [NAME, EXPRESSIONS, actions] }, field: undefined, role: 'rule' };
  }
  return { ...shape, type: type.of, field, role };
}

function actionFields(document: ShapedDocument, phase: Phase): readonly ConfigField[] {
  const values = actionsIn(document, phase).map(fact => fact.type);
  return [
    { name: 'type', type: { kind: 'choice', values }, required: true, doc: 'What to do.' },
    { name: 'config', type: { kind: 'object', fields: [] }, doc: 'How to do it.' },
  ];
}

/** Returns the actions that a phase of a document may use. */
export function actionsIn({ profile, endpoint }: ShapedDocument, phase: Phase): readonly ActionFact[] {
  return profile.actions.filter(fact => isAvailable(fact, { endpoint, phase }));
}

/** Returns the keys of an action's configuration that exist in a phase. */
export function fieldsIn(
  fact: ActionFact,
  { endpoint }: ShapedDocument,
  phase: Phase | undefined,
): readonly ConfigField[] {
  return fact.config.filter(
    field => (field.endpoints?.includes(endpoint) ?? true) && (!phase || (field.phases?.includes(phase) ?? true)),
  );
}

function configShape({ siblings }: Step, shape: Shape, document: ShapedDocument): Shape | undefined {
  const written = /^["']?([\w-]+)/.exec(siblings().get('type') ?? '')?.[1];
  const action = document.profile.actions.find(fact => fact.type === written);
  if (!action) return undefined;
  return {
    ...shape,
    type: { kind: 'object', fields: fieldsIn(action, document, shape.phase) },
    action,
    role: 'config',
  };
}

/** Returns what decides the shape of a document at an offset; undefined where there is no policy, tests or settings. */
export function shapedDocument(
  { kind, target, policies, claims }: Snapshot,
  offset: number,
): ShapedDocument | undefined {
  if (kind === 'other') return undefined;
  const around = policies.find(
    ({ part, policy: { range } }) => part && range.start <= offset && offset <= range.end + 1,
  );
  if (around) return ofTarget(kind, around.target, around.part?.steps.length ?? 0);
  if (kind === 'embedding' || kind === 'edge') return undefined;
  if (target) return { ...ofTarget(kind, target, 0), phase: claims?.phase };
  const profile = PROFILES.at(-1)!;
  return {
    kind,
    profile,
    endpoint: profile.endpoints[0]!,
    isGuessed: true,
    target: undefined,
    phase: undefined,
    depth: 0,
  };
}

function ofTarget(kind: DocumentKind, target: Target, depth: number): ShapedDocument {
  const { profile, endpoint, detected } = target;
  return {
    kind,
    profile,
    endpoint,
    isGuessed: detected !== undefined && detected.evidence === undefined,
    target,
    phase: undefined,
    depth,
  };
}
